package dev.vertlet.model.reference;

/** Kinds of objects that pods refer to. */
public enum ReferredKind {
  CONFIG_MAP("configmap", "ConfigMap"),
  SECRET("secret", "Secret"),
  SERVICE("service", "Service"),
  PERSISTENT_VOLUME_CLAIM("persistentvolumeclaim", "PersistentVolumeClaim"),
  PERSISTENT_VOLUME("persistentvolume", "PersistentVolume"),
  CLUSTER_TRUST_BUNDLE("clustertrustbundle", "ClusterTrustBundle");

  private final String resource;
  private final String kind;

  ReferredKind(String resource, String kind) {
    this.resource = resource;
    this.kind = kind;
  }

  /** Singular resource name, as kubelets write it: {@code configmap "x" not found}. */
  public String resource() {
    return resource;
  }

  /** For example {@code ConfigMap}. */
  public String kind() {
    return kind;
  }
}
