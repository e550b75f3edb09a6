package dev.vertlet.config.node;

/**
 * Client-side rate limit of one node, as a kubelet's {@code kubeAPIQPS} and {@code kubeAPIBurst}.
 * It covers writes of the Node object, pod statuses and mirror pods; Leases and events do not
 * count. There is no limit by default: a kubelet's 50 and 100 would slow down an agent with many
 * nodes.
 *
 * @param perSecond sustained requests per second; 0 for no limit
 * @param burst requests at once; 0 for as many as {@code perSecond}
 */
public record ApiLimit(int perSecond, int burst) {}
