package dev.vertlet.simulated.shell;

import io.vertx.core.buffer.Buffer;

/**
 * What stands between a client's keys and the programs of a terminal: shows what is typed, hands
 * over whole lines, knows Ctrl-C, Ctrl-D, Ctrl-U and the key that takes a character back.
 */
final class Terminal {
  /** What a terminal keeps of what nobody reads, as in Linux. */
  static final int KEPT = 4096;

  private static final int CTRL_C = 3;
  private static final int CTRL_D = 4;
  private static final int BACKSPACE = 8;
  private static final int CTRL_U = 21;
  private static final int DELETE = 127;
  private static final int FIRST_PRINTED = ' ';
  private static final String BELL = "\u0007";
  private static final String RUB_OUT = "\b \b";

  private final Input lines = Input.offered();
  private final Output echo;
  private final Runnable interrupt;
  private Buffer line = Buffer.buffer();

  private Terminal(Output echo, Runnable interrupt) {
    this.echo = echo;
    this.interrupt = interrupt;
  }

  /**
   * Listens to a client's keys from now on: Ctrl-C counts also when no program reads.
   *
   * @param echo shows what is typed
   * @param interrupt what Ctrl-C does
   * @return the lines that are typed
   */
  static Input lines(Input keys, Output echo, Runnable interrupt) {
    Terminal terminal = new Terminal(echo, interrupt);
    keys.read(terminal::typed, terminal.lines::end, echo);
    return terminal.lines;
  }

  private void typed(Buffer keys) {
    Buffer shown = Buffer.buffer();
    for (int i = 0; i < keys.length(); i++) {
      byte key = keys.getByte(i);
      if (key == CTRL_C) {
        line = Buffer.buffer();
        lines.discard();
        echo.write(shown.appendString("^C\n"));
        shown = Buffer.buffer();
        interrupt.run();
      } else if (ends(key) && line.length() + lines.unread() > KEPT) {
        shown.appendString(BELL);
      } else if (key == CTRL_D) {
        echo.write(shown);
        shown = Buffer.buffer();
        endOfInput();
      } else if (key == '\r' || key == '\n') {
        // shown before the program sees the line, or its answer would stand before it
        echo.write(shown.appendByte((byte) '\n'));
        shown = Buffer.buffer();
        Buffer whole = line.appendByte((byte) '\n');
        line = Buffer.buffer();
        lines.offer(whole);
      } else if (key == DELETE || key == BACKSPACE) {
        shown.appendString(rubOut() ? RUB_OUT : "");
      } else if (key == CTRL_U) {
        while (rubOut()) {
          shown.appendString(RUB_OUT);
        }
      } else if (line.length() + lines.unread() >= KEPT) {
        shown.appendString(BELL);
      } else {
        line.appendByte(key);
        if (key >= 0 && key < FIRST_PRINTED && key != '\t') {
          shown.appendString("^").appendByte((byte) (key + '@'));
        } else {
          shown.appendByte(key);
        }
      }
    }
    echo.write(shown);
  }

  /** Whether a program gets to see the line with it. There is room for one behind a full line. */
  private static boolean ends(byte key) {
    return key == CTRL_D || key == '\r' || key == '\n';
  }

  private void endOfInput() {
    if (line.length() == 0) {
      lines.endOnce();
    } else {
      Buffer part = line;
      line = Buffer.buffer();
      lines.offer(part);
    }
  }

  /** Takes the last character back, all bytes of it. */
  private boolean rubOut() {
    int length = line.length();
    if (length == 0) {
      return false;
    }
    do {
      length--;
    } while (length > 0 && (line.getByte(length) & 0xc0) == 0x80);
    line = line.getBuffer(0, length);
    return true;
  }
}
