package dev.vertlet.simulated.rule;

import org.jspecify.annotations.Nullable;

/**
 * Failures on a container's way to its start, and of a resize while it runs; null for no failure or
 * unset.
 *
 * @param sandbox failure of the pod's sandbox
 * @param pull failure of the image pull
 * @param start failure of the container's start
 * @param resize failure of a resize
 */
public record StartErrors(
    @Nullable String sandbox,
    @Nullable String pull,
    @Nullable String start,
    @Nullable String resize) {
  /** No failure. */
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
