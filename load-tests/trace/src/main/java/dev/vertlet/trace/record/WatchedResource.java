package dev.vertlet.trace.record;

import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import org.jspecify.annotations.Nullable;

/**
 * A resource that is listed and watched.
 *
 * @param apiVersion group and version, {@code v1} for the core group
 * @param plural as in paths
 * @param kind the workload kind; null for nodes, pods and events
 */
record WatchedResource(
    String apiVersion, String plural, boolean namespaced, @Nullable WorkloadKind kind) {
  static final WatchedResource NODES = new WatchedResource("v1", "nodes", false, null);
  static final WatchedResource PODS = new WatchedResource("v1", "pods", true, null);
  static final WatchedResource EVENTS = new WatchedResource("v1", "events", true, null);

  /** Answers of the metrics server; they cannot be watched. */
  static final WatchedResource POD_METRICS =
      new WatchedResource("metrics.k8s.io/v1beta1", "pods", true, null);

  /** Creates the resource of a workload kind. */
  static WatchedResource of(ApiResource resource, WorkloadKind kind) {
    return new WatchedResource(
        resource.apiVersion(), resource.plural(), resource.namespaced(), kind);
  }

  String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  /**
   * Returns the path of the objects of a namespace.
   *
   * @param namespace empty for all
   */
  KubePath path(String namespace) {
    String base = (group().isEmpty() ? "/api/" : "/apis/") + apiVersion;
    String in = namespaced && !namespace.isEmpty() ? "/namespaces/" + namespace : "";
    return new KubePath(base + in + "/" + plural, plural, group());
  }

  /** Returns {@code deployments.apps}, as kubectl names it. */
  @Override
  public String toString() {
    return group().isEmpty() ? plural : plural + "." + group();
  }
}
