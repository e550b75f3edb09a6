package dev.vertlet.content;

import dev.vertlet.content.PodVolumeState.Stage;
import dev.vertlet.content.VolumeCollector.Collected;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Brings back ends up to date with the volumes of running pods, and times this. Confined to the
 * shard's loop.
 */
final class VolumeUpdates {
  /** Changes of one object are spread over this time, milliseconds, as many pods may have it. */
  private static final long SPREAD = 2_000;

  private final ContentServices services;
  private final PodInput input;
  private final Function<PodVolumeState, VolumeWriter> writers;
  private final BiFunction<PodRef, List<VolumeContent>, Future<Void>> delivery;
  private final Consumer<PodVolumeState> due;

  /**
   * @param input what the back end asks for
   * @param writers for the files of a pod
   * @param delivery takes new versions of volumes, unless the back end reads files
   * @param due called for a pod whose time has come
   */
  VolumeUpdates(
      ContentServices services,
      PodInput input,
      Function<PodVolumeState, VolumeWriter> writers,
      BiFunction<PodRef, List<VolumeContent>, Future<Void>> delivery,
      Consumer<PodVolumeState> due) {
    this.services = services;
    this.input = input;
    this.writers = writers;
    this.delivery = delivery;
    this.due = due;
  }

  /** Makes a pod due in a moment; several changes until then are one. */
  void soon(PodVolumeState pod) {
    boolean failed = pod.stage() == Stage.FAILED && pod.resumed();
    if (pod.stage() == Stage.READY || failed) {
      at(pod, services.now() + (long) (SPREAD * services.random().nextDouble()));
    }
  }

  /** Makes a pod due after a failure, later with each one. */
  void later(PodVolumeState pod) {
    pod.updates.set(services, services.retryAt(pod.countFailure()), () -> due.accept(pod));
  }

  /** Makes a pod due for the next refresh of a token. */
  void plan(PodVolumeState pod) {
    Instant next = pod.tokens.next();
    if (next != null) {
      at(pod, next.toEpochMilli());
    }
  }

  private void at(PodVolumeState pod, long millis) {
    if (millis < pod.updates.at()) {
      pod.updates.set(services, millis, () -> due.accept(pod));
    }
  }

  /**
   * Brings the back end up to date.
   *
   * @param collected what is known now
   */
  void update(PodVolumeState pod, Collected collected) {
    collected.setUps().forEach(message -> warnOnce(pod, message));
    if (collected.until() > 0 && collected.until() < Long.MAX_VALUE) {
      at(pod, collected.until());
    }
    plan(pod);
    List<VolumeContent> news = pod.news(collected.volumes());
    boolean whole = collected.failures().isEmpty();
    if (!news.isEmpty() && (pod.handed() || input == PodInput.FILES)) {
      deliver(pod, news, whole);
    } else if (whole) {
      pod.allWell();
    }
  }

  /**
   * @param whole whether no volume fails
   */
  private void deliver(PodVolumeState pod, List<VolumeContent> news, boolean whole) {
    pod.delivered(news);
    Future<Void> delivered =
        input == PodInput.FILES
            ? write(pod, news)
            : services.loop().bring(delivery.apply(pod.view().ref(), news));
    delivered
        .onSuccess(done -> pod.taken(whole))
        .onFailure(
            failure -> {
              pod.undelivered(news);
              if (!pod.forgotten()) {
                unwritten(pod, news, failure);
                later(pod);
              }
            });
  }

  private Future<Void> write(PodVolumeState pod, List<VolumeContent> news) {
    VolumeWriter writer = writers.apply(pod);
    Instant now = services.instant();
    return services
        .files()
        .run(
            pod.view().uid(),
            () -> {
              for (VolumeContent content : news) {
                writer.write(content, now);
              }
              return null;
            });
  }

  /** Tells of files that could not be written; a back end tells of its failures itself. */
  private void unwritten(PodVolumeState pod, List<VolumeContent> news, Throwable failure) {
    if (input == PodInput.FILES) {
      news.forEach(
          content ->
              warnOnce(pod, VolumeCollector.setUpFailed(content.volume(), failure.toString())));
    }
  }

  void warnOnce(PodVolumeState pod, String message) {
    if (pod.warn(message)) {
      services.failedMount(pod.view(), message);
    }
  }
}
