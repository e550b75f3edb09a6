package dev.vertlet.stages.expression;

/** An expression that does not compile. */
final class ExpressionException extends Exception {
  private static final long serialVersionUID = 1;

  private final int line;
  private final int column;

  /**
   * @param line in the expression, from 1
   * @param column from 1
   */
  ExpressionException(int line, int column, String message) {
    super(message);
    this.line = line;
    this.column = column;
  }

  int line() {
    return line;
  }

  int column() {
    return column;
  }
}
