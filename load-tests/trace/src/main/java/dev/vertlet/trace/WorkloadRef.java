package dev.vertlet.trace;

/**
 * Names an object that makes pods: a workload, or a pod without an owner.
 *
 * @param apiVersion for example {@code apps/v1}
 * @param kind for example {@code Deployment}; {@code Pod} for a bare pod
 * @param namespace empty for kinds of the whole cluster
 */
public record WorkloadRef(String apiVersion, String kind, String namespace, String name) {
  /** Returns whether this is a pod without an owner. */
  public boolean isBarePod() {
    return apiVersion.equals("v1") && kind.equals("Pod");
  }

  @Override
  public String toString() {
    return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
