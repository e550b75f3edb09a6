package dev.vertlet.registry;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** User and password of a registry. */
record Login(String user, String password) {
  /** No credentials. */
  static final Login ANONYMOUS = new Login("", "");

  boolean isAnonymous() {
    return user.isEmpty() && password.isEmpty();
  }

  /** Value of the Authorization header. */
  String basic() {
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  /** Leaves out the password. */
  @Override
  public String toString() {
    return "Login[" + user + "]";
  }
}
