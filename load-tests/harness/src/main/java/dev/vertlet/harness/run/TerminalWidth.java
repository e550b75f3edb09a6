package dev.vertlet.harness.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Asks how wide the terminal is, of the command that every system with terminals has. A terminal
 * library would put signal handlers in place of the JVM's, and Ctrl-C would end the process without
 * an orderly stop.
 */
final class TerminalWidth {
  /** What terminals began with, for those that do not tell. */
  private static final int USUAL = 80;

  private static final int ANSWER_SECONDS = 1;

  private TerminalWidth() {}

  /** In characters. */
  static int current() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      if (!stty.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        stty.destroyForcibly();
        return USUAL;
      }
      return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException noSttyOrTerminal) {
      return USUAL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }

  /**
   * @param size rows and columns, as {@code stty size} prints them
   */
  static int parse(String size) {
    String[] numbers = size.strip().split(" ", -1);
    if (numbers.length != 2 || !numbers[1].matches("[1-9]\\d{0,4}")) {
      return USUAL;
    }
    return Integer.parseInt(numbers[1]);
  }
}
