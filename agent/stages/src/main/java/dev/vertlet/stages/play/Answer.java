package dev.vertlet.stages.play;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Outcome of a write. */
public sealed interface Answer {
  /**
   * The object was written, or another one was, or an event was sent.
   *
   * @param resourceVersion of the object; 0 if it was not written or is gone
   * @param object as it is now; null if that was not asked for
   */
  record Written(long resourceVersion, @Nullable StageObject object) implements Answer {}

  /**
   * The same write may succeed later.
   *
   * @param delay before the next try at least
   */
  record Retry(Duration delay, String message) implements Answer {}

  /** The object has changed since it was read, or is gone. */
  record Stale() implements Answer {}

  /** The server refuses the write, now and later. */
  record Refused(String message) implements Answer {}
}
