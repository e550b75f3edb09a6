package dev.vertlet.config;

/**
 * How fast a node may write, as a kubelet's {@code kubeAPIQPS} and {@code kubeAPIBurst}: its own
 * object, the statuses of its pods and its mirror pods; leases and events are no part of it.
 *
 * @param perSecond requests in the long run; 0 for no limit of its own
 * @param burst requests that may go at once; 0 for as many as in a second
 */
public record ApiLimit(int perSecond, int burst) {
  /** A kubelet has 50 and 100; what is many nodes is not held up by that. */
  static final ApiLimit DEFAULTS = new ApiLimit(0, 0);
}
