package dev.vertlet.simulated.shell;

import io.vertx.core.buffer.Buffer;

/**
 * Line discipline of a terminal, between a client's keys and programs: echoes keys, passes on whole
 * lines, and handles Ctrl-C, Ctrl-D, Ctrl-U and the erase key.
 */
final class Terminal {
  /** Most unread bytes that a terminal keeps, as in Linux. */
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
   * Starts to read a client's keys: Ctrl-C also works while no program reads.
   *
   * @param echo shows typed keys
   * @param interrupt action of Ctrl-C
   * @return the typed lines
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
        // echoed before the program gets the line, so that its answer comes after it
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

  /** Whether the key passes the line on to a program. Such a key still fits after a full line. */
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

  /** Erases the last character, all bytes of it. */
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
