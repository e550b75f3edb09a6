package dev.vertlet.provider.content;

/**
 * A credential of an image registry, from a pull secret of the pod.
 *
 * @param registry host, port and path prefix that it is for
 * @param password secret: do not log
 */
public record RegistryCredential(String registry, String username, String password) {
  /** Leaves out the password. */
  @Override
  public String toString() {
    return username + " at " + registry;
  }
}
