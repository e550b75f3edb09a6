package dev.vertlet.harness.load;

import dev.vertlet.kube.ApiAccess;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeClientOptions;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.Reflector;
import dev.vertlet.kube.ReflectorListener;
import dev.vertlet.kube.Verb;
import dev.vertlet.model.ConditionView;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.NodeDecoder;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.PodDecoder;
import dev.vertlet.model.PodView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Creates the pods of a plan, watches them become Ready, deletes them and watches them go; watches
 * nodes and leases beside. All state belongs to its event loop; its methods may be called from any
 * thread, and their Futures complete on that loop.
 */
public final class PodLoad extends VerticleBase {
  /** For requests that a server was too busy for. */
  private static final Backoff RETRY =
      new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5), 2, 1);

  private final LoadPlan plan;
  private final RandomGenerator random = new SplittableRandom();
  private final PodStopwatch up;
  private final PodStopwatch down;
  private final LeaseGaps leaseGaps = new LeaseGaps();
  private final Readiness nodes = new Readiness();
  private final Readiness pods = new Readiness();
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private final Promise<Void> nodesReady = Promise.promise();
  private final Promise<Void> podsReady = Promise.promise();
  private final Promise<Void> podsGone = Promise.promise();
  private final List<PacedRequests> running = new ArrayList<>();
  private boolean cancelled;
  private int errors;
  private String lastError = "";
  private @Nullable KubeClient client;

  /** Written on the event loop, read by whoever shows progress. */
  private volatile Counts counts = new Counts(0, 0, 0);

  public PodLoad(LoadPlan plan) {
    this.plan = plan;
    this.up = new PodStopwatch(plan.pods());
    this.down = new PodStopwatch(plan.pods());
  }

  /** Completes when everything is watched. */
  @Override
  public Future<?> start() {
    KubeClientOptions options = KubeClientOptions.defaults();
    return KubeClient.create(
            vertx, options, ApiAccess.discover(plan.kubeconfig(), null), new SimpleMeterRegistry())
        .compose(
            created -> {
              client = created;
              return Future.all(
                  follow(
                      ListWatch.of("nodes of the load", KubePath.nodes(), new NodeDecoder())
                          .withLabelSelector(plan.label()),
                      new NodeListener()),
                  follow(
                      ListWatch.of("leases", KubePath.nodeLeases(), LeaseView.decoder()),
                      new LeaseListener()),
                  follow(
                      ListWatch.of(
                          "pods of the load", KubePath.pods(plan.namespace()), new PodDecoder()),
                      new PodListener()));
            });
  }

  private <T extends KubeObject> Future<Void> follow(
      ListWatch<T> what, ReflectorListener<T> listener) {
    Reflector<T> reflector =
        new Reflector<>(client(), what, listener, Reflector.DEFAULT_BACKOFF, random);
    reflectors.add(reflector);
    return reflector.start();
  }

  @Override
  public Future<?> stop() {
    if (client == null) {
      return Future.succeededFuture();
    }
    return Future.join(reflectors.stream().map(Reflector::stop).toList())
        .eventually(() -> client().close());
  }

  private KubeClient client() {
    if (client == null) {
      throw new IllegalStateException("the load has not been started");
    }
    return client;
  }

  /** How far it has come. */
  public Counts counts() {
    return counts;
  }

  /** Completes when all nodes of the plan are Ready. */
  public Future<Void> nodesReady() {
    return nodesReady.future();
  }

  /** Creates all pods; completes when all are Ready. Call once. */
  public Future<Void> up() {
    return onLoop(
        () -> {
          if (plan.pods() == 0) {
            podsReady.tryComplete();
          }
          return requests(this::create).run(plan.pace()).compose(v -> podsReady.future());
        });
  }

  /** Deletes all pods as a user does, with their grace; completes when all are gone. Call once. */
  public Future<Void> down() {
    return onLoop(
        () -> {
          if (plan.pods() == 0) {
            podsGone.tryComplete();
          }
          return requests(this::delete).run(plan.pace()).compose(v -> podsGone.future());
        });
  }

  /** Creates nothing more from now on; requests on their way are not called back. */
  public void cancel() {
    context.runOnContext(
        v -> {
          cancelled = true;
          running.forEach(PacedRequests::cancel);
        });
  }

  /** What has been measured until now. */
  public Future<Measurements> measurements() {
    return onLoop(
        () ->
            Future.succeededFuture(
                new Measurements(
                    up.result(),
                    down.result(),
                    leaseGaps.result(System.nanoTime()),
                    nodes.flips(),
                    pods.flips(),
                    errors,
                    lastError)));
  }

  /**
   * Sends any request to the cluster, again and again while the server is too busy for it.
   *
   * @return fails with {@link KubeException}
   */
  public Future<?> send(KubeRequest request) {
    return onLoop(() -> persist(request, 1).mapEmpty());
  }

  /**
   * Sends a request once.
   *
   * @return fails with {@link KubeException}
   */
  public Future<KubeResponse> fetch(KubeRequest request) {
    return onLoop(() -> client().send(request));
  }

  private PacedRequests requests(PacedRequests.Request request) {
    PacedRequests requests = new PacedRequests(context, System::nanoTime, plan.pods(), request);
    if (cancelled) {
      requests.cancel();
    }
    running.add(requests);
    return requests;
  }

  private Future<?> create(int pod, long latencyFrom) {
    up.start(pod, latencyFrom);
    KubeRequest request =
        KubeRequest.create(Lane.REST, KubePath.pods(plan.namespace()), PodManifest.of(plan, pod))
            .metadataOnly();
    return persist(request, 1);
  }

  private Future<?> delete(int pod, long latencyFrom) {
    down.start(pod, latencyFrom);
    KubePath path = KubePath.pod(plan.namespace(), plan.pod(pod));
    KubeRequest request =
        new KubeRequest(
            Lane.REST, Verb.DELETE, path, "", null, null, MediaType.METADATA_ONLY, null);
    return persist(request, 1);
  }

  private Future<KubeResponse> persist(KubeRequest request, int attempt) {
    return client()
        .send(request)
        .recover(
            failure -> {
              KubeException refused = KubeException.from(failure);
              if (doneAlready(request, refused, attempt)) {
                return Future.succeededFuture();
              }
              error(refused.getMessage());
              boolean unwanted = cancelled && request.verb() == Verb.CREATE;
              if (unwanted || refused.recovery() != Recovery.RETRY) {
                return Future.failedFuture(refused);
              }
              long delay = RETRY.delay(attempt, random, refused).toMillis();
              return vertx.timer(delay).compose(v -> persist(request, attempt + 1));
            });
  }

  /** A try whose answer was lost may have done it. */
  private static boolean doneAlready(KubeRequest request, KubeException refused, int attempt) {
    return switch (refused.kind()) {
      case NOT_FOUND -> request.verb() == Verb.DELETE;
      case ALREADY_EXISTS -> request.verb() == Verb.CREATE && attempt > 1;
      default -> false;
    };
  }

  private void error(String message) {
    errors++;
    lastError = message;
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(v -> task.get().onComplete(promise));
    return promise.future();
  }

  private void recount() {
    counts = new Counts(nodes.count(), up.arrivals(), down.arrivals());
  }

  private final class NodeListener implements ReflectorListener<NodeView> {
    @Override
    public void upserted(NodeView node) {
      NodeConditionView ready = node.status().condition("Ready");
      if (nodes.observe(node.name(), ready != null && ready.status().equals("True"))) {
        recount();
      }
      if (nodes.count() == plan.nodes()) {
        nodesReady.tryComplete();
      }
    }

    @Override
    public void deleted(Tombstone node) {
      nodes.gone(node.name());
    }

    @Override
    public void synced() {}
  }

  private final class LeaseListener implements ReflectorListener<LeaseView> {
    @Override
    public void upserted(LeaseView lease) {
      if (plan.owns(lease.name())) {
        leaseGaps.renewed(lease.name(), System.nanoTime());
      }
    }

    @Override
    public void deleted(Tombstone lease) {
      leaseGaps.gone(lease.name());
    }

    @Override
    public void synced() {}
  }

  private final class PodListener implements ReflectorListener<PodView> {
    @Override
    public void upserted(PodView pod) {
      int index = plan.index(pod.name());
      if (index < 0 || pod.deleting()) {
        return;
      }
      ConditionView condition = pod.status().condition("Ready");
      boolean ready = condition != null && condition.status().equals("True");
      pods.observe(pod.name(), ready);
      if (ready && up.arrive(index, System.nanoTime())) {
        recount();
        if (up.complete()) {
          podsReady.tryComplete();
        }
      }
    }

    @Override
    public void deleted(Tombstone pod) {
      int index = plan.index(pod.name());
      if (index < 0) {
        return;
      }
      pods.gone(pod.name());
      if (down.arrive(index, System.nanoTime())) {
        recount();
        if (down.complete()) {
          podsGone.tryComplete();
        }
      } else {
        error("pod " + pod.name() + " vanished, and nobody asked it to");
      }
    }

    @Override
    public void synced() {}
  }
}
