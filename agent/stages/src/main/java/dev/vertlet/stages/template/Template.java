package dev.vertlet.stages.template;

import org.jspecify.annotations.Nullable;

/** A parsed template. Immutable: threads may share it. */
public final class Template {
  private Template() {}

  /**
   * Renders the template.
   *
   * @param data maps, lists, strings, numbers, booleans and null, or a Jackson node; numbers are
   *     numbers of JSON ({@code json.Number}), as in KWOK
   * @throws TemplateException if a value does not fit, a function fails, templates nest deeper than
   *     {@value Limits#DEPTH} or the output is longer than {@value Limits#OUTPUT} characters
   */
  public String render(@Nullable Object data) {
    throw new UnsupportedOperationException();
  }
}
