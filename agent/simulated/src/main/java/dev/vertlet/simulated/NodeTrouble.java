package dev.vertlet.simulated;

import dev.vertlet.simulated.rule.DurationRule;
import dev.vertlet.simulated.rule.Hash64;
import dev.vertlet.simulated.rule.NodeRule;

/** One rule on one node, which alternates between healthy and in trouble. */
final class NodeTrouble extends Timed {
  final NodeRule rule;
  final String node;
  private final long bits;
  private int turns;
  private long changesAt;

  /**
   * @param now start of the first healthy time
   */
  NodeTrouble(NodeRule rule, String node, long seed, long now) {
    this.rule = rule;
    this.node = node;
    this.bits = Hash64.of(Hash64.of(seed, "node"), rule.name(), node);
    this.changesAt = Plan.after(now, draw());
  }

  /** Returns whether the node is in trouble now. */
  boolean ongoing() {
    return turns % 2 == 1;
  }

  /** Starts or ends the trouble at the planned time; a late timer does not shift later changes. */
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
