package dev.vertlet.harness.result.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Table with names on the left and aligned figures on the right. Picocli's table does not fit: it
 * interprets markup in names.
 */
public final class Rows {
  private final List<String[]> rows = new ArrayList<>();
  private final int nameWidth;
  private final int figureWidth;

  /**
   * Sets the minimum widths in characters, with a space before each figure; columns grow with their
   * content.
   */
  public Rows(int nameWidth, int figureWidth) {
    this.nameWidth = nameWidth;
    this.figureWidth = figureWidth;
  }

  /** Adds a row; figures stand at the right of their columns. */
  public void add(String name, String... figures) {
    String[] row = new String[figures.length + 1];
    row[0] = name;
    System.arraycopy(figures, 0, row, 1, figures.length);
    rows.add(row);
  }

  @Override
  public String toString() {
    int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
    int[] widths = IntStream.range(0, columns).map(this::width).toArray();
    return rows.stream()
        .map(row -> line(row, widths))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private int width(int column) {
    int widest =
        rows.stream()
            .filter(row -> row.length > column)
            .mapToInt(row -> row[column].length())
            .max()
            .orElse(0);
    return column == 0 ? Math.max(nameWidth, widest) : Math.max(figureWidth, widest + 1);
  }

  private static String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder(row[0]).append(" ".repeat(widths[0] - row[0].length()));
    for (int column = 1; column < row.length; column++) {
      line.append(" ".repeat(widths[column] - row[column].length())).append(row[column]);
    }
    return line.toString().stripTrailing();
  }
}
