package dev.vertlet.stages.template.value;

import org.jspecify.annotations.Nullable;

/** Names and kinds of Go's types. */
public final class GoTypes {
  private GoTypes() {}

  /** Go's name of a value's type. */
  public static String name(@Nullable Object value) {
    return "<nil>";
  }
}
