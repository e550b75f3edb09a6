package dev.vertlet.runonce;

import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.fetch.UrlFetch;
import dev.vertlet.manifest.SourceContents;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.manifest.StaticPods;
import dev.vertlet.manifest.StaticPods.Effect;
import dev.vertlet.sources.FileSource;
import dev.vertlet.sources.HttpSource;
import dev.vertlet.sources.ManifestSource;
import dev.vertlet.sources.NodeSources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/** Reads the static pods of some nodes once. Confined to one context. */
final class RunOnceSources {
  /** Limit of the first manifests, the kubelet's runOnceManifestDelay. */
  static final Duration MANIFEST_DELAY = Duration.ofSeconds(1);

  private final Vertx vertx;
  private final Clock clock;
  private final Duration patience;
  private final BiConsumer<String, String> refused;
  private final UrlFetch fetch;
  private final List<StaticPod> pods = new ArrayList<>();
  private final Set<String> uids = new HashSet<>();
  private final List<Future<SourceContents>> readings = new ArrayList<>();

  /**
   * @param patience limit of a URL's answer; a file is read to its end
   * @param refused takes each file, URL or pod that cannot be used, and why
   */
  RunOnceSources(Vertx vertx, Clock clock, Duration patience, BiConsumer<String, String> refused) {
    this.vertx = vertx;
    this.clock = clock;
    this.patience = patience;
    this.refused = refused;
    this.fetch = new UrlFetch(vertx);
  }

  /**
   * Reads all sources at once.
   *
   * @return fails with the kubelet's message when none of them answers in time
   */
  Future<List<StaticPod>> read(List<NodeSources> nodes) {
    nodes.forEach(this::read);
    return Future.join(readings)
        .transform(
            joined ->
                readings.stream().anyMatch(Future::succeeded)
                    ? Future.succeededFuture(pods)
                    : Future.failedFuture(
                        new FailedException(
                            "no pod manifest update after " + patience.toSeconds() + "s")));
  }

  private void read(NodeSources node) {
    StaticPods own = new StaticPods(Set.of());
    if (node.path() != null) {
      FileSource source = new FileSource(vertx, node.path(), node.node());
      take(own, source, source.read());
    }
    if (node.url() != null) {
      HttpSource source = new HttpSource(vertx, node.url(), node.node(), fetch);
      take(own, source, source.read().timeout(patience.toMillis(), TimeUnit.MILLISECONDS));
    }
  }

  private void take(StaticPods own, ManifestSource source, Future<SourceContents> reading) {
    readings.add(
        reading
            .onSuccess(read -> take(own, source.name(), read.without(this::twice)))
            .onFailure(failure -> refused.accept(source.place(), reason(failure))));
  }

  /** Returns a problem for a repeated UID, which only a manifest's own UID can be. */
  private Optional<String> twice(StaticPod pod) {
    return uids.add(pod.view().uid())
        ? Optional.empty()
        : Optional.of("metadata.uid \"" + pod.view().uid() + "\" is that of another static pod");
  }

  private void take(StaticPods own, String source, SourceContents reading) {
    reading.problems().forEach(problem -> refused.accept(problem.place(), problem.reason()));
    Set<String> runs = new HashSet<>();
    for (Effect effect : own.set(source, reading.pods(), clock.instant())) {
      if (effect instanceof Effect.Run run) {
        runs.add(run.pod().view().uid());
        pods.add(run.pod());
      }
    }
    for (StaticPod pod : reading.pods()) {
      if (!runs.contains(pod.view().uid())) {
        refused.accept(pod.ref().display(), "a pod of this name comes from another source");
      }
    }
  }

  private String reason(Throwable failure) {
    return failure instanceof TimeoutException
        ? "no answer within " + patience.toSeconds() + "s"
        : Failures.line(failure);
  }
}
