package dev.vertlet.stages.template;

import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.value.JsonValues;
import org.jspecify.annotations.Nullable;

/** A parsed template. Immutable: threads may share it. */
public final class Template {
  private final Source source;
  private final Functions functions;
  private final Definitions definitions;

  Template(Source source, Functions functions, Definitions definitions) {
    this.source = source;
    this.functions = functions;
    this.definitions = definitions;
  }

  /** Name of the template, which error messages have. */
  public String name() {
    return source.name();
  }

  /**
   * Renders the template.
   *
   * @param data maps, lists, strings, numbers, booleans and null, or a Jackson node; it is copied,
   *     and its numbers are numbers of JSON ({@code json.Number}), as in KWOK
   * @throws TemplateException if a value does not fit, a function fails, or the rendering exceeds
   *     one of the limits: {@value Limits#DEPTH} nested templates, {@value Limits#OUTPUT}
   *     characters, {@value Limits#ITERATIONS} iterations
   * @throws IllegalArgumentException if the data is none of these
   */
  public String render(@Nullable Object data) {
    return new Executor(source, functions, definitions).execute(JsonValues.of(data));
  }
}
