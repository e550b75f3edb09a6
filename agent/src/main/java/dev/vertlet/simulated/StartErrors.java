package dev.vertlet.simulated;

import org.jspecify.annotations.Nullable;

/**
 * What a container's way to its start fails with, or a resize once it runs; null where nothing
 * fails, or nothing is said.
 *
 * @param sandbox of the whole pod
 * @param pull of the image
 * @param start of the container
 * @param resize of the container while it runs
 */
public record StartErrors(
    @Nullable String sandbox,
    @Nullable String pull,
    @Nullable String start,
    @Nullable String resize) {
  /** Nothing fails. */
  public static final StartErrors UNSET = new StartErrors(null, null, null, null);

  StartErrors or(StartErrors fallback) {
    if (fallback == UNSET) {
      return this;
    }
    return new StartErrors(
        sandbox != null ? sandbox : fallback.sandbox,
        pull != null ? pull : fallback.pull,
        start != null ? start : fallback.start,
        resize != null ? resize : fallback.resize);
  }
}
