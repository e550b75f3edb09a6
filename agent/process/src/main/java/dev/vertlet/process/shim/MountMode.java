package dev.vertlet.process.shim;

/**
 * How containers see their volumes.
 *
 * @param kind for statuses and the container's environment
 * @param problem why it is not a namespace; empty if it is
 */
public record MountMode(String kind, String problem) {
  /** Links in a directory of the container's own. */
  public static final String LINKS = "links";

  /** A shim that has not been asked. */
  static final MountMode UNKNOWN = links("not tried");

  public static MountMode links(String problem) {
    return new MountMode(LINKS, problem);
  }

  /** Reads the answer of the shim's command {@code mounts}. */
  static MountMode of(int code, String output) {
    return code == 0 ? new MountMode(output, "") : links(output);
  }

  /** Whether mounts are at their paths, in a mount namespace of the container's own. */
  public boolean namespace() {
    return !kind.equals(LINKS);
  }
}
