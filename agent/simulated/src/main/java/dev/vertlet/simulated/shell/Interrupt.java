package dev.vertlet.simulated.shell;

import io.vertx.core.Promise;

/** Ends a session's program early. Without pipes and jobs, one program waits at a time. */
final class Interrupt {
  /** Exit code 128 + SIGHUP: the client has gone. */
  static final int HANGUP = 129;

  /** Exit code 128 + SIGINT: Ctrl-C. */
  static final int INTERRUPTED = 130;

  /** Exit code 128 + SIGKILL: the container has ended. */
  static final int KILLED = 137;

  private int code;
  private Promise<Integer> waiting = Promise.promise();

  /**
   * Ends the program that waits, and those that begin to.
   *
   * @param why the exit code; the end of client or container overrides all later ones
   */
  void raise(int why) {
    if (code == 0 || code == INTERRUPTED) {
      code = why;
      waiting.tryComplete(why);
    }
  }

  /** Exit code of an interrupted command; 0 without an interrupt. */
  int code() {
    return code;
  }

  /** Clears a Ctrl-C: a shell at a terminal goes on. */
  void clear() {
    if (code == INTERRUPTED) {
      code = 0;
    }
  }

  /** Returns the result of a program that begins to wait. */
  Promise<Integer> waits() {
    waiting = Promise.promise();
    if (code != 0) {
      waiting.complete(code);
    }
    return waiting;
  }
}
