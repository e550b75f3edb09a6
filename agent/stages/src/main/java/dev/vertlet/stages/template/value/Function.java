package dev.vertlet.stages.template.value;

/**
 * A function or method that templates may call.
 *
 * @param signature types of its parameters
 * @param body what it does
 */
public record Function(Signature signature, TemplateFunction body) {
  /** A function with parameters such as {@code "string, ...any"}; see {@link ParameterType}. */
  public static Function of(String parameters, TemplateFunction body) {
    return new Function(Signature.of(parameters), body);
  }
}
