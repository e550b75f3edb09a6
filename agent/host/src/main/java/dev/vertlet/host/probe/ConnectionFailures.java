package dev.vertlet.host.probe;

import java.net.ConnectException;

/** Words for connections that fail. */
final class ConnectionFailures {
  private ConnectionFailures() {}

  /** Says why a connection failed, as Go does. */
  static String reason(Throwable failure) {
    return failure instanceof ConnectException
        ? "connect: connection refused"
        : String.valueOf(failure.getMessage());
  }
}
