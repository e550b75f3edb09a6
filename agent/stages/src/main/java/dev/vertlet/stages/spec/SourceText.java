package dev.vertlet.stages.spec;

/**
 * An expression or a template, and where it stands.
 *
 * @param field path of the field that holds it
 * @param at start of the value
 * @param indent columns before each line of a block scalar; -1 when the text's lines are not those
 *     of the file, as with folded and quoted text
 */
public record SourceText(String text, String field, Location at, int indent) {
  /**
   * Place of a position in the text.
   *
   * @param line from 1
   * @param column from 1
   */
  public Location place(int line, int column) {
    if (at.line() == 0) {
      return at;
    }
    if (indent >= 0) {
      return new Location(at.source(), at.line() + line, indent + column);
    }
    return line == 1 && text.indexOf('\n') < 0
        ? new Location(at.source(), at.line(), at.column() + column - 1)
        : at;
  }

  /** A mistake at a position in the text. */
  public StageProblem problem(int line, int column, String message) {
    Location place = place(line, column);
    boolean exact = place != at || line == 1 && column == 1;
    String position = exact ? "" : " (line %d, column %d of the text)".formatted(line, column);
    return new StageProblem(place, field, message + position);
  }
}
