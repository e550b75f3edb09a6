package dev.vertlet.content;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.Future;
import java.util.function.Consumer;

/** Reads the definitions of pods, and keeps them for a moment. Confined to the shard's loop. */
final class PodDefinitions {
  /** How long a definition is kept after a start, for the starts that follow, milliseconds. */
  private static final long KEEP = 10_000;

  private final ContentServices services;
  private final Consumer<PodVolumeState> defined;

  /**
   * @param defined called for a pod whose volumes may be others than before
   */
  PodDefinitions(ContentServices services, Consumer<PodVolumeState> defined) {
    this.services = services;
    this.defined = defined;
  }

  /** Reads the definition, unless that of the pod's newest version is still kept. */
  Future<PodDefinition> of(PodVolumeState pod) {
    PodDefinition kept = pod.definition();
    if (kept != null) {
      return Future.succeededFuture(kept);
    }
    PodView by = pod.view();
    return read(by.ref())
        .onSuccess(
            read -> {
              pod.defined(read, by);
              defined.accept(pod);
              pod.drop.set(services, services.now() + KEEP, pod::dropDefinition);
            });
  }

  /** Reads a pod's definition; completes on the loop. */
  Future<PodDefinition> read(PodRef ref) {
    return services.loop().bring(services.context().fullPod(ref)).map(PodDefinition::read);
  }
}
