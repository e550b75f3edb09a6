package dev.vertlet.stages.template;

/**
 * A template that cannot be parsed or rendered. The message is Go's, with name and line in it, for
 * example {@code template: pod.yaml:3:7: executing "pod.yaml" at <.spec>: …}.
 */
public final class TemplateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String name;
  private final int line;
  private final int column;

  /**
   * @param name of the template that was parsed
   * @param line from 1
   * @param column from 1, in UTF-8 bytes; Go's messages count from 0
   */
  public TemplateException(String name, int line, int column, String message) {
    super(message);
    this.name = name;
    this.line = line;
    this.column = column;
  }

  /** Name of the template that was parsed. */
  public String name() {
    return name;
  }

  /** Line of the mistake, from 1. */
  public int line() {
    return line;
  }

  /** Column of the mistake, from 1, in UTF-8 bytes. */
  public int column() {
    return column;
  }
}
