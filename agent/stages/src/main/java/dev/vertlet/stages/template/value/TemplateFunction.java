package dev.vertlet.stages.template.value;

import org.jspecify.annotations.Nullable;

/** Body of a function; its {@link Signature} has checked number and types of the arguments. */
@FunctionalInterface
public interface TemplateFunction {
  /**
   * Computes the value.
   *
   * @return one of the types of {@code dev.vertlet.stages.template.value}
   * @throws FunctionException if Go's function returns an error
   */
  @Nullable Object call(Arguments arguments);
}
