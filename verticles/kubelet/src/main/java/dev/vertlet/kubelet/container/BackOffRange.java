package dev.vertlet.kubelet.container;

/**
 * The shortest and the longest pause before a container is restarted.
 *
 * @param first milliseconds, at most {@code max}
 * @param max milliseconds
 */
public record BackOffRange(long first, long max) {
  /** Returns the pause after this one; the first one after 0. */
  long after(long step) {
    return step == 0 ? first : Math.min(step * 2, max);
  }
}
