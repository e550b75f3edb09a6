package dev.vertlet.events;

/**
 * Rate limit of a node's events: a kubelet's {@code eventRecordQPS} and {@code eventBurst}.
 *
 * @param perSecond sustained events per second; 0 for no limit
 * @param burst events that may be written at once; ignored without a limit
 */
public record EventLimit(int perSecond, int burst) {
  /** No limit: a kubelet has 50 per second, but one agent writes the events of many nodes. */
  public static final EventLimit DEFAULTS = new EventLimit(0, 100);

  boolean none() {
    return perSecond == 0;
  }
}
