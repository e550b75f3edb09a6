package dev.vertlet.lifecycle.container;

/**
 * The shortest and the longest pause before a container is restarted.
 *
 * @param first milliseconds, at most {@code max}
 * @param max milliseconds
 */
public record BackOffRange(long first, long max) {
  /** The pause after this one; after none, which is 0, the first. */
  long after(long step) {
    return step == 0 ? first : Math.min(step * 2, max);
  }
}
