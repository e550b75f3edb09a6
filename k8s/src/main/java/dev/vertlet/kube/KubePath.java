package dev.vertlet.kube;

/**
 * Path of a resource.
 *
 * @param path absolute path without query
 * @param resource {@code pods}, {@code pods/status}, …: for metrics and for messages about RBAC
 * @param group API group, empty for core
 */
public record KubePath(String path, String resource, String group) {
  /** All pods of all namespaces. */
  public static KubePath pods() {
    return core("/api/v1/pods", "pods");
  }

  /** The pods of one namespace. */
  public static KubePath pods(String namespace) {
    return core("/api/v1/namespaces/" + namespace + "/pods", "pods");
  }

  public static KubePath pod(String namespace, String name) {
    return core("/api/v1/namespaces/" + namespace + "/pods/" + name, "pods");
  }

  public static KubePath podStatus(String namespace, String name) {
    return core("/api/v1/namespaces/" + namespace + "/pods/" + name + "/status", "pods/status");
  }

  public static KubePath nodes() {
    return core("/api/v1/nodes", "nodes");
  }

  public static KubePath node(String name) {
    return core("/api/v1/nodes/" + name, "nodes");
  }

  public static KubePath nodeStatus(String name) {
    return core("/api/v1/nodes/" + name + "/status", "nodes/status");
  }

  public static KubePath configMaps(String namespace) {
    return core("/api/v1/namespaces/" + namespace + "/configmaps", "configmaps");
  }

  public static KubePath configMap(String namespace, String name) {
    return core("/api/v1/namespaces/" + namespace + "/configmaps/" + name, "configmaps");
  }

  public static KubePath secrets(String namespace) {
    return core("/api/v1/namespaces/" + namespace + "/secrets", "secrets");
  }

  /** Creates tokens of a service account. */
  public static KubePath serviceAccountToken(String namespace, String name) {
    return core(
        "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + name + "/token",
        "serviceaccounts/token");
  }

  public static KubePath services(String namespace) {
    return core("/api/v1/namespaces/" + namespace + "/services", "services");
  }

  public static KubePath persistentVolumeClaims(String namespace) {
    return core(
        "/api/v1/namespaces/" + namespace + "/persistentvolumeclaims", "persistentvolumeclaims");
  }

  public static KubePath persistentVolumes() {
    return core("/api/v1/persistentvolumes", "persistentvolumes");
  }

  /** The resources of a version of an API group, for example {@code certificates.k8s.io/v1}. */
  public static KubePath resourcesOf(String groupVersion) {
    return new KubePath("/apis/" + groupVersion, "apis", "");
  }

  /**
   * ClusterTrustBundles.
   *
   * @param groupVersion that the API server serves, for example {@code certificates.k8s.io/v1beta1}
   */
  public static KubePath clusterTrustBundles(String groupVersion) {
    return new KubePath(
        "/apis/" + groupVersion + "/clustertrustbundles",
        "clustertrustbundles",
        "certificates.k8s.io");
  }

  public static KubePath events(String namespace) {
    return core("/api/v1/namespaces/" + namespace + "/events", "events");
  }

  public static KubePath event(String namespace, String name) {
    return core("/api/v1/namespaces/" + namespace + "/events/" + name, "events");
  }

  /** The leases of all nodes: namespace {@code kube-node-lease}. */
  public static KubePath nodeLeases() {
    return leases("kube-node-lease");
  }

  public static KubePath nodeLease(String node) {
    return lease("kube-node-lease", node);
  }

  public static KubePath leases(String namespace) {
    return new KubePath(
        "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases",
        "leases",
        "coordination.k8s.io");
  }

  public static KubePath lease(String namespace, String name) {
    return new KubePath(leases(namespace).path() + "/" + name, "leases", "coordination.k8s.io");
  }

  private static KubePath core(String path, String resource) {
    return new KubePath(path, resource, "");
  }
}
