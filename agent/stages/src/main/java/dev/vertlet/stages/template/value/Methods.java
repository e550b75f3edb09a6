package dev.vertlet.stages.template.value;

import org.jspecify.annotations.Nullable;

/** A value with methods that templates can call as if they were fields. */
public interface Methods {
  /** The exported method of a name, or null. */
  @Nullable Function method(String name);
}
