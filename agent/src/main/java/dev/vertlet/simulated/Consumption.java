package dev.vertlet.simulated;

import dev.vertlet.model.Quantities;
import org.jspecify.annotations.Nullable;

/**
 * What a running container takes of its node. Null means: not said here; by default nothing.
 *
 * @param memory bytes
 * @param storage bytes of the node's file system
 */
public record Consumption(@Nullable Long memory, @Nullable Long storage) {
  /** Says nothing. */
  public static final Consumption UNSET = new Consumption(null, null);

  /**
   * Bytes from a quantity such as {@code 200Mi}.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  static Long bytes(String text) {
    try {
      Quantities.parseNotNegative("usage", text);
      return Quantities.units(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no amount: want a quantity from 0 up, such as 200Mi", e);
    }
  }

  Consumption or(Consumption fallback) {
    return fallback == UNSET
        ? this
        : new Consumption(
            memory != null ? memory : fallback.memory,
            storage != null ? storage : fallback.storage);
  }

  boolean none() {
    return memory == null && storage == null;
  }

  long memoryBytes() {
    return memory == null ? 0 : memory;
  }

  long storageBytes() {
    return storage == null ? 0 : storage;
  }
}
