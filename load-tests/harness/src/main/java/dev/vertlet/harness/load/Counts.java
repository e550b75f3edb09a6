package dev.vertlet.harness.load;

/**
 * How far a load has come. All but the nodes is of the phase that runs, or ran last.
 *
 * @param nodesReady now
 * @param phase its name; empty before the first
 * @param created pods that were asked for
 * @param ready those that became Ready
 * @param deleted pods that were asked to go
 * @param gone those that went
 * @param updates pods that were changed
 * @param lost pods that will not arrive any more
 * @param p50 milliseconds from create to Ready, or from delete to gone where nothing became Ready;
 *     at most a quarter of a second old
 * @param p99 the same
 */
public record Counts(
    int nodesReady,
    String phase,
    int created,
    int ready,
    int deleted,
    int gone,
    int updates,
    int lost,
    double p50,
    double p99) {
  static final Counts NONE = new Counts(0, "", 0, 0, 0, 0, 0, 0, 0, 0);

  /** These, or nothing but the nodes while they are still those of the phase before. */
  public Counts of(String name) {
    return phase.equals(name) ? this : new Counts(nodesReady, name, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
