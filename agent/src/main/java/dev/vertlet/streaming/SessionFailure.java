package dev.vertlet.streaming;

/** The server's own fault, of which a client is told no more than that. */
final class SessionFailure extends Exception {
  SessionFailure(Throwable cause) {
    super("the server has failed", cause, false, false);
  }
}
