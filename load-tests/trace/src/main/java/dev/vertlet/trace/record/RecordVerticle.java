package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.kube.SteadyClock;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceWriter;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Watches a cluster for a recording. {@link #review} and {@link #record} may be called from any
 * thread, one after the other; everything else happens on the verticle's context.
 */
final class RecordVerticle extends VerticleBase {
  /** Pods that changed without a milestone are written this often. */
  private static final long CHECKPOINT_MILLIS = 60_000;

  /** Resolution of outages of the API server. */
  private static final long OUTAGE_MILLIS = 1000;

  /** Selects the events that tell of pulled images. */
  private static final String PULLS = "involvedObject.kind=Pod,reason=Pulled";

  private final ApiAccess access;
  private final RecordOptions options;
  private final Clock clock;
  private final RandomGenerator random = new SplittableRandom();
  private final List<ResourceWatch> watches = new ArrayList<>();
  private @Nullable KubeClient kube;
  private @Nullable Session session;

  /** Written on the context, read by any thread. */
  private volatile @Nullable Instant unreachableSince;

  /** What {@link #record} was given. */
  private record Session(Recording recording, TraceSink sink) {}

  RecordVerticle(ApiAccess access, RecordOptions options) {
    this(access, options, SteadyClock.ofMachine());
  }

  RecordVerticle(ApiAccess access, RecordOptions options, Clock clock) {
    this.access = access;
    this.options = options;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    return KubeClient.create(vertx, KubeClientOptions.defaults(), access, new SimpleMeterRegistry())
        .onSuccess(client -> kube = client);
  }

  private KubeClient kube() {
    KubeClient client = kube;
    if (client == null) {
      throw new IllegalStateException("not started");
    }
    return client;
  }

  Clock clock() {
    return clock;
  }

  /** Finds out what can be recorded; fails with {@link RecordException}. */
  Future<ClusterReview.Result> review() {
    return onContext(() -> new ClusterReview(kube(), options).run());
  }

  /** Makes the sink into which a recording writes; to be called before {@link #record}. */
  TraceSink sink(TraceWriter writer) {
    return new TraceSink(context, writer);
  }

  /**
   * Begins to record.
   *
   * @return completes when everything was listed; waits for a server that is away
   */
  Future<Void> record(Recording recording, TraceSink sink, ClusterReview.Result found) {
    return onContext(
        () -> {
          session = new Session(recording, sink);
          List<Future<Void>> first = new ArrayList<>();
          first.add(watch(WatchedResource.NODES, "", new Nodes(recording)));
          for (WatchedResource resource : found.workloads()) {
            WorkloadKind kind = resource.kind();
            if (kind != null) {
              first.add(watch(resource, "", new Workloads(recording, kind)));
            }
          }
          // owners first: a pod whose owner is not known has to wait for it
          return Future.all(first)
              .compose(listed -> watch(WatchedResource.PODS, "", new Pods(recording)))
              .compose(
                  listed -> {
                    recording.synced(clock.instant());
                    begin(recording, sink, found);
                    return sink.flush();
                  });
        });
  }

  private void begin(Recording recording, TraceSink sink, ClusterReview.Result found) {
    vertx.setPeriodic(TraceSink.INTERVAL_MILLIS, id -> sink.flush());
    vertx.setPeriodic(CHECKPOINT_MILLIS, id -> recording.checkpoint(clock.instant()));
    vertx.setPeriodic(OUTAGE_MILLIS, id -> outage(recording));
    if (found.events()) {
      watch(WatchedResource.EVENTS, PULLS, new Pulls(recording));
    }
    if (found.metrics()) {
      UsageSampler sampler = new UsageSampler(kube(), options, recording::usage);
      vertx.setPeriodic(UsageSampler.INTERVAL_MILLIS, id -> sampler.sample());
      sampler.sample();
    }
  }

  private Future<Void> watch(
      WatchedResource resource, String fieldSelector, ResourceWatch.Receiver receiver) {
    List<Future<Void>> listed = new ArrayList<>();
    for (String namespace : options.scopes(resource)) {
      ResourceWatch watch =
          new ResourceWatch(kube(), resource, namespace, fieldSelector, receiver, random);
      watches.add(watch);
      listed.add(watch.start());
    }
    return Future.all(listed).mapEmpty();
  }

  /** Whether the API server does not answer. */
  boolean outage() {
    return unreachableSince != null;
  }

  private void outage(Recording recording) {
    Instant now = clock.instant();
    if (!kube().reachable()) {
      unreachableSince = unreachableSince == null ? now : unreachableSince;
    } else {
      outageEnds(recording, now);
    }
  }

  private void outageEnds(Recording recording, Instant now) {
    Instant since = unreachableSince;
    if (since != null) {
      recording.gap(Gap.SERVER, null, Duration.between(since, now), now);
      unreachableSince = null;
    }
  }

  /** Ends the watches and writes what is left; fails with a {@code TraceException}. */
  Future<Void> finish() {
    return onContext(
        () -> {
          Session current = session;
          Future<Void> stopped =
              Future.all(watches.stream().map(ResourceWatch::stop).toList()).mapEmpty();
          return current == null
              ? stopped
              : stopped.compose(
                  done -> {
                    Instant now = clock.instant();
                    outageEnds(current.recording(), now);
                    current.recording().end(now);
                    return current.sink().flush();
                  });
        });
  }

  @Override
  public Future<?> stop() {
    return kube == null ? Future.succeededFuture() : kube.close();
  }

  /** An action that may fail at once or later. */
  private interface Action<T> {
    Future<T> run();
  }

  private <T> Future<T> onContext(Action<T> action) {
    Context target = context;
    Promise<T> promise = Promise.promise();
    target.runOnContext(
        v -> {
          try {
            action.run().onComplete(promise);
          } catch (RuntimeException e) {
            promise.fail(e);
          }
        });
    return promise.future();
  }

  /** Receives objects and tells gaps. */
  private abstract class Receiving implements ResourceWatch.Receiver {
    final Recording recording;

    Receiving(Recording recording) {
      this.recording = recording;
    }

    @Override
    public void relisted(String resource, Duration unwatched) {
      recording.gap(Gap.WATCH, resource, unwatched, clock.instant());
    }
  }

  private final class Nodes extends Receiving {
    Nodes(Recording recording) {
      super(recording);
    }

    @Override
    public void seen(String uid, JsonNode object) {
      recording.node(uid, object, clock.instant());
    }

    @Override
    public void gone(String uid) {
      recording.nodeGone(uid, clock.instant());
    }
  }

  private final class Workloads extends Receiving {
    private final WorkloadKind kind;

    Workloads(Recording recording, WorkloadKind kind) {
      super(recording);
      this.kind = kind;
    }

    @Override
    public void seen(String uid, JsonNode object) {
      recording.workload(kind, uid, object, clock.instant());
    }

    @Override
    public void gone(String uid) {
      recording.workloadGone(uid, clock.instant());
    }
  }

  private final class Pods extends Receiving {
    Pods(Recording recording) {
      super(recording);
    }

    @Override
    public void seen(String uid, JsonNode object) {
      recording.pod(uid, object, clock.instant());
    }

    @Override
    public void gone(String uid) {
      recording.podGone(uid, clock.instant());
    }
  }

  /** Events only add pull times: a gap among them is none of the trace. */
  private final class Pulls extends Receiving {
    Pulls(Recording recording) {
      super(recording);
    }

    @Override
    public void seen(String uid, JsonNode object) {
      recording.event(object);
    }

    @Override
    public void gone(String uid) {
      // events end of themselves
    }

    @Override
    public void relisted(String resource, Duration unwatched) {
      // see the class
    }
  }
}
