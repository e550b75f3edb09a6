package dev.vertlet.streaming.session;

/** Internal server error; the client learns no details. */
final class SessionFailure extends Exception {
  SessionFailure(Throwable cause) {
    super("the server has failed", cause, false, false);
  }
}
