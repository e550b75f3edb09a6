package dev.vertlet.content;

import dev.vertlet.content.PodVolumeState.Stage;
import dev.vertlet.content.VolumeCollector.Collected;
import dev.vertlet.content.VolumeWriter.Written;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Makes the volumes of pods, from the definition of a pod through its objects and tokens to its
 * files, and keeps them up to date from then on. All state is in {@link PodVolumeState}. Confined
 * to the shard's loop.
 *
 * <p>An attempt ends as {@link Stage#READY} or {@link Stage#FAILED}, and then calls the pod's
 * progress. A newer attempt, and the end of the pod, overtake one that still waits for an answer.
 */
final class VolumeReconciler {
  private final ContentServices services;
  private final PodInput input;
  private final PodDefinitions definitions;
  private final VolumeCollector collector;
  private final Function<PodVolumeState, VolumeWriter> writers;
  private final TokenRequests tokens;
  private final VolumeUpdates updates;

  /**
   * @param input what the back end asks for
   * @param writers for the files of a pod
   * @param delivery takes new versions of volumes, unless the back end reads files
   */
  VolumeReconciler(
      ContentServices services,
      PodInput input,
      PodDefinitions definitions,
      VolumeCollector collector,
      Function<PodVolumeState, VolumeWriter> writers,
      BiFunction<PodRef, List<VolumeContent>, Future<Void>> delivery) {
    this.services = services;
    this.input = input;
    this.definitions = definitions;
    this.collector = collector;
    this.writers = writers;
    this.tokens = new TokenRequests(services, this::progressed);
    this.updates = new VolumeUpdates(services, input, writers, delivery, this::due);
  }

  /** Begins an attempt to make a pod's volumes. */
  void begin(PodVolumeState pod) {
    int attempt = pod.begin();
    definitions
        .of(pod)
        .onComplete(
            read -> {
              if (!pod.isAttempt(attempt)) {
                return;
              }
              if (read.succeeded()) {
                proceed(pod);
              } else {
                settle(pod, failed("Unable to read the pod", read.cause()));
              }
            });
  }

  private static VolumePreparer.Outcome.Failed failed(String what, Throwable cause) {
    return new VolumePreparer.Outcome.Failed(
        List.of(), List.of(what + ": " + cause.getMessage()), "");
  }

  /** Keeps a pod up to date that runs although its volumes cannot all be made. */
  void resume(PodVolumeState pod) {
    pod.resume();
    if (pod.stage() == Stage.FAILED) {
      updates.later(pod);
    }
  }

  /** The pod itself has changed. */
  void changed(PodVolumeState pod) {
    updates.soon(pod);
  }

  /** An object that the pod refers to was read, or has changed. */
  void referenceChanged(PodVolumeState pod) {
    if (pod.stage() == Stage.PREPARING) {
      // the cache is being read: go on after this call
      services.loop().later(() -> proceed(pod));
    } else {
      updates.soon(pod);
    }
  }

  /** Continues an attempt as far as what is known allows. */
  private void proceed(PodVolumeState pod) {
    if (pod.stage() != Stage.PREPARING || pod.volumes() == null || pod.forgotten()) {
      return;
    }
    tokens.request(pod);
    Collected collected = collector.collect(pod);
    long until = VolumeCollector.earlier(collected.until(), collector.secretsUntil(pod));
    if (until > 0) {
      if (until < Long.MAX_VALUE) {
        pod.updates.set(services, until, () -> proceed(pod));
      }
      return;
    }
    if (!collected.failures().isEmpty()) {
      settle(pod, VolumeCollector.failed(collected.failures()));
    } else if (input == PodInput.FILES) {
      write(pod, collected);
    } else {
      succeeded(pod);
    }
  }

  private void write(PodVolumeState pod, Collected collected) {
    int attempt = pod.attempt();
    VolumeWriter writer = writers.apply(pod);
    PodView view = pod.view();
    List<VolumeDefinition> volumes = pod.knownVolumes();
    Instant now = services.instant();
    services
        .files()
        .run(
            view.uid(),
            () -> writer.prepare(view.ref(), view.nodeName(), volumes, collected.contents(), now))
        .onComplete(
            written -> {
              if (!pod.isAttempt(attempt) || pod.forgotten()) {
                return;
              }
              Written result = written.result();
              if (result == null) {
                settle(pod, failed("Unable to make the pod's directory", written.cause()));
                return;
              }
              result.warnings().forEach(volume -> services.notInMemory(view, volume));
              if (result.failures().isEmpty()) {
                succeeded(pod);
              } else {
                settle(pod, VolumeCollector.failed(result.failures()));
              }
            });
  }

  private void succeeded(PodVolumeState pod) {
    pod.updates.cancel(services); // the wait for a first reading
    pod.ready();
    tell(pod);
    if (pod.resumed()) {
      due(pod);
    } else {
      updates.plan(pod);
    }
  }

  private void settle(PodVolumeState pod, VolumePreparer.Outcome.Failed failure) {
    pod.updates.cancel(services);
    pod.failed(failure);
    if (pod.resumed()) {
      failure.setUps().forEach(message -> updates.warnOnce(pod, message));
      updates.later(pod);
    }
    tell(pod);
  }

  private static void tell(PodVolumeState pod) {
    Runnable progress = pod.takeProgress();
    if (progress != null) {
      progress.run();
    }
  }

  /** A token of the pod was issued or refused. */
  private void progressed(PodVolumeState pod) {
    if (pod.stage() == Stage.PREPARING) {
      proceed(pod);
    } else if (pod.stage() == Stage.READY) {
      due(pod);
    }
  }

  /** Brings a pod up to date whose time has come, or tries again to make its volumes. */
  private void due(PodVolumeState pod) {
    if (pod.forgotten()) {
      return;
    }
    if (pod.stage() == Stage.READY) {
      pod.updates.cancel(services);
      tokens.request(pod);
      updates.update(pod, collector.collect(pod));
    } else if (pod.stage() == Stage.FAILED && pod.resumed()) {
      begin(pod);
    }
  }
}
