package dev.vertlet.harness.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Determines the width of the terminal with {@code stty}, which every system with terminals has. A
 * terminal library would replace the JVM's signal handlers, and Ctrl-C would then end the process
 * without an orderly stop.
 */
final class TerminalWidth {
  /** Classic width of terminals, for those that do not report theirs. */
  private static final int USUAL = 80;

  private static final int ANSWER_SECONDS = 1;

  private TerminalWidth() {}

  /** Width in characters. */
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
