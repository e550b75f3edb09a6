package dev.vertlet.stages.template;

import dev.vertlet.stages.template.function.Functions;

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
    Source source = new Source(name, text);
    Definitions definitions = new Definitions();
    new Parser(source, functions, definitions).parse();
    return new Template(source, functions, definitions);
  }
}
