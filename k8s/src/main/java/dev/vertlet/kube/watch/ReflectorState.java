package dev.vertlet.kube.watch;

import org.jspecify.annotations.Nullable;

/**
 * State of a {@link Reflector}.
 *
 * <pre>
 *   Idle ─start─▶ Streaming ─initial-events-end─▶ Watching ─end, reset─▶ Watching
 *                     │ not offered                 │  ▲
 *                     ▼                             │  │ last page
 *                  Listing ◀─── undecodable event ──┘  │
 *                     └────────────────────────────────┘
 *   Watching ─410, relist()─▶ Streaming, or Listing where streaming is not offered
 * </pre>
 *
 * Entering a state means doing its I/O once; {@code Step} says how long to wait before.
 */
sealed interface ReflectorState {
  /** Whether entering this state starts a new list. */
  default boolean beginsList() {
    return this instanceof Streaming
        || this instanceof Listing page && page.continueToken() == null;
  }

  /** Not started, or stopped. */
  record Idle() implements ReflectorState {}

  /** A watch that begins with the whole list. */
  record Streaming() implements ReflectorState {}

  /**
   * Reading the list.
   *
   * @param continueToken null for the first page
   * @param paged false for all objects in one answer
   */
  record Listing(@Nullable String continueToken, boolean paged) implements ReflectorState {}

  /**
   * Watching for changes.
   *
   * @param resourceVersion everything up to it was delivered
   */
  record Watching(long resourceVersion) implements ReflectorState {}
}
