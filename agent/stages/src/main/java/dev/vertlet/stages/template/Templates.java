package dev.vertlet.stages.template;

/** Parses templates. */
public final class Templates {
  private Templates() {}

  /**
   * Parses a template with its nested definitions.
   *
   * @param name of the template, usually its file; it stands in error messages
   * @param functions that the template may call
   * @throws TemplateException for a mistake in the syntax, an unknown function or variable, with
   *     its line and column
   */
  public static Template parse(String name, String text, Functions functions) {
    throw new UnsupportedOperationException();
  }
}
