package dev.vertlet.env;

/** A variable cannot be resolved; the message is the kubelet's. */
final class EnvironmentException extends Exception {
  EnvironmentException(String message) {
    super(message, null, false, false);
  }
}
