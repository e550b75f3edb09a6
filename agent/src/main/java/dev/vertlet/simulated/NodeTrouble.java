package dev.vertlet.simulated;

/** One rule at work on one node, which is well and in trouble in turn. */
final class NodeTrouble extends Timed {
  final NodeRule rule;
  final String node;
  private final long bits;
  private int turns;
  private long changesAt;

  /**
   * @param now when the node, which is well, is looked at for the first time
   */
  NodeTrouble(NodeRule rule, String node, long seed, long now) {
    this.rule = rule;
    this.node = node;
    this.bits = Hash64.of(Hash64.of(seed, "node"), rule.name(), node);
    this.changesAt = Plan.after(now, draw());
  }

  /** Whether the node is in trouble now. */
  boolean ongoing() {
    return turns % 2 == 1;
  }

  /** The trouble begins or ends, as it was planned; a late timer puts nothing off. */
  void change() {
    turns++;
    changesAt = Plan.after(changesAt, draw());
  }

  private long draw() {
    DurationRule length = ongoing() ? rule.lasts() : rule.every();
    return Math.max(NodeRule.SHORTEST_MILLIS, length.draw(Hash64.of(bits, turns)));
  }

  @Override
  long deadline() {
    return changesAt;
  }
}
