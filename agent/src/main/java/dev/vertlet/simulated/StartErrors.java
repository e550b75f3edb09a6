package dev.vertlet.simulated;

import org.jspecify.annotations.Nullable;

/**
 * What a container's way to its start fails with; null where nothing fails, or nothing is said.
 *
 * @param sandbox of the whole pod
 * @param pull of the image
 * @param start of the container
 */
public record StartErrors(@Nullable String sandbox, @Nullable String pull, @Nullable String start) {
  /** Nothing fails. */
  public static final StartErrors UNSET = new StartErrors(null, null, null);

  StartErrors or(StartErrors fallback) {
    if (fallback == UNSET) {
      return this;
    }
    return new StartErrors(
        sandbox != null ? sandbox : fallback.sandbox,
        pull != null ? pull : fallback.pull,
        start != null ? start : fallback.start);
  }
}
