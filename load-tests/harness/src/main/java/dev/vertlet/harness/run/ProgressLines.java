package dev.vertlet.harness.run;

import java.io.PrintStream;

/** One line per step and quarter of it, for logs and pipes. Not thread-safe. */
final class ProgressLines implements Progress {
  private static final int PARTS = 4;

  private final PrintStream out;
  private String step = "";
  private long total;
  private long toldParts;

  ProgressLines(PrintStream out) {
    this.out = out;
  }

  @Override
  public void begin(String newStep, long newTotal) {
    step = newStep;
    total = newTotal;
    toldParts = 0;
  }

  @Override
  public void at(long done) {
    long parts = total == 0 ? 0 : done * PARTS / total;
    if (parts > toldParts) {
      toldParts = parts;
      out.println(step + " " + done + "/" + total);
    }
  }

  @Override
  public void close() {}
}
