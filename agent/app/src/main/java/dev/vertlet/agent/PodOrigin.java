package dev.vertlet.agent;

import dev.vertlet.model.PodView;
import dev.vertlet.pods.PodSource;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Source of an agent's pods.
 *
 * @param source the watch of the embedding program, null for the agent's own watch
 * @param filter accepts pods of the agent's own watch
 */
record PodOrigin(@Nullable PodSource source, Predicate<PodView> filter) {
  /** All pods of the agent's own watch. */
  static final PodOrigin WATCH = filtered(pod -> true);

  static PodOrigin fed(PodSource source) {
    return new PodOrigin(source, pod -> true);
  }

  static PodOrigin filtered(Predicate<PodView> filter) {
    return new PodOrigin(null, filter);
  }
}
