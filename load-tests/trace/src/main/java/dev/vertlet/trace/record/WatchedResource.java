package dev.vertlet.trace.record;

import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import org.jspecify.annotations.Nullable;

/**
 * A resource that is listed and watched.
 *
 * @param api the resource at the API server
 * @param kind the workload kind; null for nodes, pods and events
 */
record WatchedResource(ApiResource api, @Nullable WorkloadKind kind) {
  static final WatchedResource NODES = core("Node", "nodes", false);
  static final WatchedResource PODS = core("Pod", "pods", true);
  static final WatchedResource EVENTS = core("Event", "events", true);

  /** Answers of the metrics server; they cannot be watched. */
  static final WatchedResource POD_METRICS =
      new WatchedResource(
          new ApiResource("metrics.k8s.io/v1beta1", "PodMetrics", "pods", true), null);

  private static WatchedResource core(String kind, String plural, boolean namespaced) {
    return new WatchedResource(new ApiResource("v1", kind, plural, namespaced), null);
  }

  /** Returns {@code deployments.apps}, as kubectl names it. */
  @Override
  public String toString() {
    return api.group().isEmpty() ? api.plural() : api.plural() + "." + api.group();
  }
}
