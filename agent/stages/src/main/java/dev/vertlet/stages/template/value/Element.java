package dev.vertlet.stages.template.value;

import org.jspecify.annotations.Nullable;

/**
 * A value that came out of a list or map of any values. For Go its type is {@code interface {}}
 * until a pipeline or function takes it out, which error messages show, and nil in it is not the
 * same as a missing key.
 *
 * @param value in the list or map
 */
public record Element(@Nullable Object value) {
  /** The value itself, whether it came out of a list or map or not. */
  public static @Nullable Object unwrap(@Nullable Object value) {
    return value instanceof Element element ? element.value : value;
  }

  /** Go's name of the type: that of an element is {@code interface {}}. */
  public static String typeName(@Nullable Object value) {
    return value instanceof Element ? "interface {}" : GoTypes.name(value);
  }
}
