package dev.vertlet.harness.load;

import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.model.node.NodeView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs phases against a cluster and watches their pods, the nodes and the leases. All state belongs
 * to its event loop; methods may be called from any thread, and their Futures complete on that
 * loop.
 */
public final class PodLoad extends VerticleBase {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Reading a percentile scans a whole histogram; 4 per second look live enough. */
  private static final long PERCENTILES_NANOS = 250_000_000;

  private final LoadPlan plan;
  private final SplittableRandom random;
  private final Population population = new Population(this::lost);
  private final PodStartups startups = new PodStartups();
  private final ClientLatencies latencies = new ClientLatencies();
  private final Promise<Void> nodesReady = Promise.promise();
  private final List<PhaseRun> runs = new ArrayList<>();

  /** Whether all phases so far were warm-ups. */
  private boolean warm = true;

  private boolean cancelled;
  private int errors;
  private String lastError = "";
  private long firstBegan;
  private long percentilesAt = Long.MIN_VALUE;
  private double p50;
  private double p99;
  private @Nullable KubeClient client;
  private @Nullable Requests requests;
  private @Nullable Actions actions;
  private @Nullable Watches watches;

  /** Written on the event loop, read by the thread that shows progress. */
  private volatile Counts counts = Counts.NONE;

  public PodLoad(LoadPlan plan) {
    this.plan = plan;
    this.random = new SplittableRandom(plan.scenario().seed());
  }

  /** Completes when all watches have listed. */
  @Override
  public Future<?> start() {
    KubeClientOptions options = KubeClientOptions.defaults();
    return KubeClient.create(vertx, options, ApiAccess.discover(plan.kubeconfig(), null), latencies)
        .compose(
            created -> {
              client = created;
              requests = new Requests(vertx, created, plan, random.split(), this::failed);
              actions = new Actions(plan, population, requests, startups, System::nanoTime);
              watches =
                  new Watches(
                      created,
                      plan,
                      random.split(),
                      System::nanoTime,
                      population,
                      startups,
                      observer());
              return watches.start();
            });
  }

  @Override
  public Future<?> stop() {
    if (client == null || watches == null) {
      return Future.succeededFuture();
    }
    KubeClient open = client;
    return watches.stop().eventually(() -> open.close());
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the load has not been started");
    }
    return part;
  }

  /** Progress of the load. */
  public Counts counts() {
    return counts;
  }

  /** Completes when all nodes of the plan are Ready. */
  public Future<Void> nodesReady() {
    return nodesReady.future();
  }

  /**
   * Runs one phase. The phase before must have ended.
   *
   * @return the result without CPU time, once every event that the phase began has arrived or is
   *     lost; fails with the first request that the server refuses permanently, with {@link
   *     dev.vertlet.cli.FailedException} when the cluster has no Deployments, and with {@link
   *     CancellationException}
   */
  public Future<PhaseResult> run(Phase phase) {
    return onLoop(
        () -> {
          if (cancelled) {
            return Future.failedFuture(new CancellationException("the load was cancelled"));
          }
          return running()
              .map(
                  before ->
                      Future.<PhaseResult>failedFuture(
                          new IllegalStateException(
                              "phase %s has not ended".formatted(before.phase().name()))))
              .orElseGet(() -> begin(phase));
        });
  }

  private Optional<PhaseRun> running() {
    return runs.stream().filter(run -> !run.over()).findFirst();
  }

  private Future<PhaseResult> begin(Phase phase) {
    long now = System.nanoTime();
    if (runs.isEmpty()) {
      firstBegan = now;
    }
    PhaseRun run =
        new PhaseRun(
            context,
            System::nanoTime,
            population,
            started(actions),
            new PhaseMeter(phase, now, (now - firstBegan) / NANOS_PER_SECOND),
            random.split());
    runs.add(run);
    percentilesAt = now;
    startups.count(!phase.warmUp());
    if (!phase.warmUp() && warm) {
      warm = false;
      latencies.reset();
    }
    LeaseGaps leaseGaps = started(watches).leaseGaps();
    if (phase.warmUp()) {
      leaseGaps.pause(now);
    } else {
      leaseGaps.count();
    }
    return run.start()
        .onSuccess(
            result -> {
              percentilesAt = now;
              recount();
            });
  }

  /** Ends the running phase, which completes; outstanding results count as lost. */
  public void giveUp() {
    context.runOnContext(v -> running().ifPresent(PhaseRun::giveUp));
  }

  /** Creates no more objects; requests in flight continue. */
  public void cancel() {
    context.runOnContext(
        v -> {
          cancelled = true;
          started(requests).cancel();
          running().ifPresent(PhaseRun::cancel);
        });
  }

  /** All measurements so far. */
  public Future<Measurements> measurements() {
    return onLoop(
        () -> {
          long now = System.nanoTime();
          return Future.succeededFuture(
              new Measurements(
                  runs.stream().map(run -> run.result(now)).toList(),
                  started(watches).leaseGaps().result(now),
                  started(watches).nodes().flips(),
                  population.flips(),
                  population.lost(),
                  errors,
                  lastError,
                  started(watches).subjectStarts().restarts(),
                  started(watches).outages().ended(),
                  startups.result(),
                  latencies.latencies()));
        });
  }

  /**
   * Records that the subject is about to be started again.
   *
   * @param statusPatches total number of status patches the subject has sent, callable on any
   *     thread; empty if not counted
   * @return completes when the start is recorded
   */
  public Future<Void> subjectStarts(Supplier<OptionalLong> statusPatches) {
    return onLoop(
        () -> {
          long now = System.nanoTime();
          Watches watched = started(watches);
          watched
              .subjectStarts()
              .started(seconds(now), now, watched.leaseGaps().leases(), statusPatches);
          return Future.succeededFuture();
        });
  }

  /**
   * Records that the API server can be reached again by the subject.
   *
   * @param lasting how long it could not, or a little less
   * @return completes when the end of the outage is recorded
   */
  public Future<Void> outageOver(Duration lasting) {
    Instant now = Instant.now();
    return onLoop(
        () -> {
          started(watches)
              .outages()
              .over(seconds(System.nanoTime()), now.minus(lasting), now, population.waiting());
          return Future.succeededFuture();
        });
  }

  /** Time as in results. */
  private double seconds(long nanos) {
    return runs.isEmpty() ? 0 : (nanos - firstBegan) / NANOS_PER_SECOND;
  }

  /**
   * Sends a request to the cluster and retries while the server is overloaded or unreachable.
   *
   * @return fails with {@link KubeException}
   */
  public Future<?> send(KubeRequest request) {
    return onLoop(() -> started(requests).persist(request).mapEmpty());
  }

  /**
   * Sends a request once.
   *
   * @return fails with {@link KubeException}
   */
  public Future<KubeResponse> fetch(KubeRequest request) {
    return onLoop(() -> started(client).send(request));
  }

  private void failed(String message) {
    errors++;
    lastError = message;
  }

  private void lost(String message) {
    lastError = message;
  }

  private Watches.Observer observer() {
    return new Watches.Observer() {
      @Override
      public void seen(@Nullable TrackedPod arrived) {
        PodLoad.this.seen(arrived);
      }

      @Override
      public boolean shows(NodeView node) {
        return started(actions).shows(node);
      }
    };
  }

  /** Handles an event of a watch. A pod's first Ready starts its lifetime. */
  private void seen(@Nullable TrackedPod arrived) {
    running()
        .ifPresent(
            run -> {
              if (arrived != null) {
                run.arrived(arrived, System.nanoTime());
              }
              run.settle();
            });
    int ready = started(watches).nodes().count();
    if (ready == plan.nodes()) {
      nodesReady.tryComplete();
    }
    recount();
  }

  private void recount() {
    PhaseMeter meter = population.meter();
    long now = System.nanoTime();
    if (now >= percentilesAt) {
      percentilesAt = now + PERCENTILES_NANOS;
      p50 = meter.percentile(50);
      p99 = meter.percentile(99);
    }
    counts = meter.counts(started(watches).nodes().count(), p50, p99);
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(v -> task.get().onComplete(promise));
    return promise.future();
  }
}
