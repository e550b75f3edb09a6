package dev.vertlet.simulated.shell;

import io.vertx.core.Promise;

/** Ends what runs in a session early. Without pipes and jobs one program at a time waits. */
final class Interrupt {
  /** 128 + SIGHUP: the client has gone. */
  static final int HANGUP = 129;

  /** 128 + SIGINT: Ctrl-C. */
  static final int INTERRUPTED = 130;

  /** 128 + SIGKILL: the container has ended. */
  static final int KILLED = 137;

  private int code;
  private Promise<Integer> waiting = Promise.promise();

  /**
   * Ends the program that waits, and those that begin to.
   *
   * @param why the exit code; after the end of client or container no other one counts
   */
  void raise(int why) {
    if (code == 0 || code == INTERRUPTED) {
      code = why;
      waiting.tryComplete(why);
    }
  }

  /** What an interrupted command ends with; 0 while nothing has interrupted it. */
  int code() {
    return code;
  }

  /** Forgets a Ctrl-C: a shell at a terminal goes on. */
  void clear() {
    if (code == INTERRUPTED) {
      code = 0;
    }
  }

  /** Result of a program that begins to wait for something. */
  Promise<Integer> waits() {
    waiting = Promise.promise();
    if (code != 0) {
      waiting.complete(code);
    }
    return waiting;
  }
}
