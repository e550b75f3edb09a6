package dev.vertlet.kubelet.container;

/** Which list of the spec a container is in. */
public enum ContainerKind {
  INIT("spec.initContainers"),
  REGULAR("spec.containers"),
  EPHEMERAL("spec.ephemeralContainers");

  private final String path;

  ContainerKind(String path) {
    this.path = path;
  }

  /** Returns the field path for events about the container. */
  public String fieldPath(String name) {
    return path + "{" + name + "}";
  }
}
