package dev.vertlet.model;

/** Kinds of objects that the environment of containers is made of. */
public enum ReferredKind {
  CONFIG_MAP("configmap", "ConfigMap"),
  SECRET("secret", "Secret"),
  SERVICE("service", "Service");

  private final String resource;
  private final String kind;

  ReferredKind(String resource, String kind) {
    this.resource = resource;
    this.kind = kind;
  }

  /** In the singular, as kubelets write it: {@code configmap "x" not found}. */
  public String resource() {
    return resource;
  }

  /** For example {@code ConfigMap}. */
  public String kind() {
    return kind;
  }
}
