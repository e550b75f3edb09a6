package dev.vertlet.harness.result.text;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of names on the left and figures under each other on the right. Not picocli's: that one
 * takes names for markup.
 */
final class Rows {
  private final List<String> lines = new ArrayList<>();
  private final int nameWidth;
  private final int figureWidth;

  /** Widths in characters, with a space before each figure. */
  Rows(int nameWidth, int figureWidth) {
    this.nameWidth = nameWidth;
    this.figureWidth = figureWidth;
  }

  /** What is too wide is cut. */
  void add(String name, String... figures) {
    String cut = cut(name, nameWidth);
    StringBuilder line = new StringBuilder(cut).append(" ".repeat(nameWidth - cut.length()));
    for (String figure : figures) {
      String shown = cut(figure, figureWidth - 1);
      line.append(" ".repeat(figureWidth - shown.length())).append(shown);
    }
    lines.add(line.toString().stripTrailing());
  }

  private static String cut(String text, int width) {
    return text.length() > width ? text.substring(0, width - 1) + "…" : text;
  }

  @Override
  public String toString() {
    return String.join(System.lineSeparator(), lines);
  }
}
