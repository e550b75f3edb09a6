package dev.vertlet.dynamicconfig;

/** Limits the requests of a node, as {@link dev.vertlet.kube.client.KubeClient#limit} does. */
@FunctionalInterface
public interface RequestLimits {
  /**
   * @param perSecond requests a second, 0 for no limit
   * @param burst requests at once
   */
  void limit(String node, int perSecond, int burst);
}
