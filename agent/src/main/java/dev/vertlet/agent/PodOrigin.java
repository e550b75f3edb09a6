package dev.vertlet.agent;

import dev.vertlet.model.PodView;
import dev.vertlet.pods.PodSource;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent's pods come from.
 *
 * @param source a program's own watch, null for a watch of the agent's
 * @param filter which pods of that watch count
 */
record PodOrigin(@Nullable PodSource source, Predicate<PodView> filter) {
  /** All that the agent's own watch tells. */
  static final PodOrigin WATCH = filtered(pod -> true);

  static PodOrigin fed(PodSource source) {
    return new PodOrigin(source, pod -> true);
  }

  static PodOrigin filtered(Predicate<PodView> filter) {
    return new PodOrigin(null, filter);
  }
}
