package dev.vertlet.events;

/**
 * How fast a node may tell events, as a kubelet's {@code eventRecordQPS} and {@code eventBurst}.
 *
 * @param perSecond in the long run; 0 for no limit
 * @param burst that may come at once; of no meaning without a limit
 */
public record EventLimit(int perSecond, int burst) {
  /** A kubelet has 50 a second; what is many nodes has to say more, and is not held up. */
  public static final EventLimit DEFAULTS = new EventLimit(0, 100);

  boolean none() {
    return perSecond == 0;
  }
}
