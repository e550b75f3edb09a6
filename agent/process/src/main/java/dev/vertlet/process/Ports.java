package dev.vertlet.process;

import java.net.ConnectException;

/** Ports of probes, and words for connections that fail. */
final class Ports {
  private Ports() {}

  /** Returns a port's number; 0, to which no connection succeeds, for a name. */
  static int number(String port) {
    try {
      int number = Integer.parseInt(port);
      return number > 0 && number < 65536 ? number : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Says why a connection failed, as Go does. */
  static String reason(Throwable failure) {
    return failure instanceof ConnectException
        ? "connect: connection refused"
        : String.valueOf(failure.getMessage());
  }
}
