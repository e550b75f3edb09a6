package dev.vertlet.registry;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A user of a registry. */
record Login(String user, String password) {
  /** Nobody. */
  static final Login ANONYMOUS = new Login("", "");

  boolean isAnonymous() {
    return user.isEmpty() && password.isEmpty();
  }

  /** As the Authorization header has it. */
  String basic() {
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "Login[" + user + "]";
  }
}
