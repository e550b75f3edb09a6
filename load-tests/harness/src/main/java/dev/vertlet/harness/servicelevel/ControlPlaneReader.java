package dev.vertlet.harness.servicelevel;

import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a control plane's metrics every few seconds, one reading after the other. All state belongs
 * to its event loop; methods may be called from any thread.
 */
final class ControlPlaneReader extends VerticleBase {
  /** An API server takes 40 ms of CPU for an answer of 1.4 MB: below 1 % of a core. */
  static final long EVERY_MILLIS = 5_000;

  /** Readings take at most a tenth of the time, however large the answers are. */
  private static final long PAUSE_FACTOR = 9;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final String TEXT = "text/plain;version=0.0.4";
  private static final KubePath METRICS = new KubePath("/metrics", "/metrics", "");

  private final RecordedPlane plane;
  private final Recording recording = new Recording();

  /** Clients by kubeconfig; closed with the verticle. */
  private final List<KubeClient> clients = new ArrayList<>();

  private @Nullable KubeClient apiServer;
  private @Nullable KubeClient scheduler;

  /** Last failure of a reading; empty for none. */
  private String apiServerTrouble = "";

  /** Whether the user may not read them, which no later reading changes. */
  private boolean refused;

  private boolean ended;
  private Future<?> reading = Future.succeededFuture();
  private long timer = -1;

  ControlPlaneReader(RecordedPlane plane) {
    this.plane = plane;
  }

  /** Completes after the first reading, whose failure is no failure of the start. */
  @Override
  public Future<?> start() {
    return client(plane.kubeconfig())
        .onSuccess(client -> apiServer = client)
        .compose(
            first ->
                plane
                    .scheduler()
                    .map(this::client)
                    .map(client -> client.onSuccess(made -> scheduler = made))
                    .orElse(Future.succeededFuture()))
        .compose(made -> read())
        .onSuccess(read -> schedule(EVERY_MILLIS));
  }

  @Override
  public Future<?> stop() {
    vertx.cancelTimer(timer);
    return Future.join(clients.stream().map(KubeClient::close).toList());
  }

  private Future<KubeClient> client(Path kubeconfig) {
    return KubeClient.create(
            vertx,
            KubeClientOptions.defaults(),
            ApiAccess.discover(kubeconfig, null),
            new SimpleMeterRegistry())
        .onSuccess(clients::add);
  }

  private void schedule(long millis) {
    if (ended) {
      return;
    }
    timer =
        vertx.setTimer(
            Math.max(1, millis),
            id -> {
              long began = System.nanoTime();
              read()
                  .onComplete(
                      done -> {
                        long took = (System.nanoTime() - began) / NANOS_PER_MILLI;
                        schedule(Math.max(EVERY_MILLIS - took, PAUSE_FACTOR * took));
                      });
            });
  }

  /** Reads once more and forgets what was before; times count from then. */
  Future<?> begin() {
    return onLoop(() -> read().onSuccess(read -> recording.begin(now())));
  }

  /** Reads once more and forgets the totals so far. */
  Future<?> forget() {
    return onLoop(() -> read().onSuccess(read -> recording.forget()));
  }

  /** Reads a last time; completes with the record. */
  Future<ControlPlaneRecord> finish() {
    return onLoop(
        () -> {
          ended = true;
          vertx.cancelTimer(timer);
          return read().map(read -> recording.result(trouble()));
        });
  }

  /** Reads after the reading before; never fails. */
  private Future<?> read() {
    reading = reading.transform(before -> readNow());
    return reading;
  }

  private Future<?> readNow() {
    Future<Optional<MetricsSnapshot>> server =
        metrics(refused ? null : apiServer).onFailure(this::failed).otherwise(Optional.empty());
    Future<Optional<MetricsSnapshot>> scheduling = metrics(scheduler).otherwise(Optional.empty());
    Future<Map<String, ProcessUsage>> usage =
        vertx.executeBlocking(plane.usage()::get, false).otherwise(Map.of());
    return Future.join(server, scheduling, usage)
        .onSuccess(
            all ->
                recording.add(
                    now(),
                    new Recording.Reading(server.result(), scheduling.result(), usage.result())));
  }

  private void failed(Throwable failure) {
    refused = KubeException.is(failure, KubeException.Kind.FORBIDDEN);
    apiServerTrouble = String.valueOf(failure.getMessage());
  }

  private Future<Optional<MetricsSnapshot>> metrics(@Nullable KubeClient client) {
    if (client == null) {
      return Future.succeededFuture(Optional.empty());
    }
    MetricsText text = new MetricsText(ControlPlaneMetrics.WANTED);
    return client
        .read(METRICS, TEXT, text::feed)
        .map(end -> Optional.of(new MetricsSnapshot(text.values())));
  }

  private List<String> trouble() {
    return recording.answered() || apiServerTrouble.isEmpty()
        ? List.of()
        : List.of(
            "the metrics of the API server cannot be read, service levels are those that clients"
                + " saw: "
                + apiServerTrouble);
  }

  private static double now() {
    return System.nanoTime() / NANOS_PER_SECOND;
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(v -> task.get().onComplete(promise));
    return promise.future();
  }
}
