package dev.vertlet.simulated.shell;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Ends a command line early: what waits is told, and nothing more begins. */
final class Interrupt {
  /** 128 + SIGHUP: the client has gone. */
  static final int HANGUP = 129;

  /** 128 + SIGINT: Ctrl-C. */
  static final int INTERRUPTED = 130;

  /** 128 + SIGKILL: the container has ended. */
  static final int KILLED = 137;

  private int code;
  private @Nullable IntConsumer waiting;

  boolean raised() {
    return code != 0;
  }

  /** What an interrupted command ends with. */
  int code() {
    return code;
  }

  /**
   * @param why the exit code; only the first one counts
   */
  void raise(int why) {
    if (raised()) {
      return;
    }
    code = why;
    IntConsumer told = waiting;
    waiting = null;
    if (told != null) {
      told.accept(why);
    }
  }

  /** A command waits for something; null when it does not any more. */
  void waiting(@Nullable IntConsumer command) {
    waiting = command;
    if (command != null && raised()) {
      waiting = null;
      command.accept(code);
    }
  }
}
