package dev.vertlet.harness.replay.cluster;

import dev.vertlet.harness.load.PersistentRequests;
import dev.vertlet.harness.replay.plan.PriorityClasses;
import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.harness.replay.plan.ReplayPlan;
import dev.vertlet.harness.replay.plan.Step;
import dev.vertlet.harness.replay.report.RunTimes;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A replay's connection to its cluster. All state belongs to its event loop; methods may be called
 * from any thread, and their Futures complete on that loop.
 */
public final class ReplayVerticle extends VerticleBase {
  private static final int WINDOW = 256;
  private static final long POLL_MILLIS = 250;

  private final ApiAccess access;
  private final String id;
  private final Sightings sightings;
  private final SplittableRandom random = new SplittableRandom();
  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private List<ApiResource> resources = List.of();
  private @Nullable KubeClient client;
  private @Nullable Api api;
  private @Nullable Driver driver;

  /** Reason for the last retry; empty for none. Written on the event loop, read by any thread. */
  private volatile String trouble = "";

  /** Written on the event loop, read by the thread that shows progress. */
  private volatile int pods;

  private volatile int runningPods;

  private volatile int readyNodes;
  private volatile long done;

  /**
   * @param id of the replay
   * @param workloads as for {@link Sightings}
   */
  public ReplayVerticle(ApiAccess access, String id, Function<String, String> workloads) {
    this.access = access;
    this.id = id;
    this.sightings = new Sightings(workloads);
  }

  @Override
  public Future<?> start() {
    return KubeClient.create(
            vertx,
            KubeClientOptions.defaults().withWindow(WINDOW),
            access,
            new SimpleMeterRegistry())
        .onSuccess(
            created -> {
              client = created;
              api =
                  new Api(
                      created,
                      new PersistentRequests(
                          vertx, created, random.split(), message -> trouble = message));
            });
  }

  @Override
  public Future<?> stop() {
    KubeClient open = client;
    return open == null
        ? Future.succeededFuture()
        : Future.join(reflectors.stream().map(Reflector::stop).toList())
            .eventually(() -> open.close());
  }

  private Api api() {
    return started(api);
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the replay has not been started");
    }
    return part;
  }

  /** Reason for the last retry; empty for none. */
  public String trouble() {
    return trouble;
  }

  /** Number of pods seen so far. */
  public int pods() {
    return pods;
  }

  /** Number of pods that run. */
  public int runningPods() {
    return runningPods;
  }

  /** Number of Ready nodes. */
  public int readyNodes() {
    return readyNodes;
  }

  /** Number of steps whose requests have left. */
  public long done() {
    return done;
  }

  /** Version of the API server. */
  public Future<String> version() {
    return onLoop(
        () ->
            api()
                .send(KubeRequest.get(Lane.REST, new KubePath("/version", "version", "")))
                .map(answer -> answer.body().toJsonObject().getString("gitVersion", "unknown")));
  }

  /**
   * Checks that the cluster can take the plan, and adapts the plan to it. Changes nothing in the
   * cluster.
   *
   * @return what is not as recorded, and the namespaces to make; fails with {@link
   *     dev.vertlet.cli.FailedException} that names what stands against it
   */
  public Future<Checked> check(ReplayPlan plan) {
    return onLoop(
        () ->
            new ClusterCheck(api(), plan)
                .check()
                .map(
                    outcome -> {
                      resources = outcome.resources();
                      PriorityClasses.remove(plan, outcome.missingClasses());
                      return new Checked(
                          outcome.newNamespaces(),
                          outcome.missingClasses().stream()
                              .map(
                                  name ->
                                      "the cluster has no priority class %s: its pods have none"
                                          .formatted(name))
                              .toList());
                    }));
  }

  /**
   * A cluster that can take the plan.
   *
   * @param notes for the report
   */
  public record Checked(Set<String> newNamespaces, List<String> notes) {}

  /** Makes namespaces and the first nodes, and watches pods and nodes. */
  public Future<Void> prepare(Set<String> namespaces, List<Step.NodeJoins> nodes) {
    return onLoop(
        () -> {
          ClusterSteps steps = steps();
          List<Future<?>> made = new ArrayList<>();
          made.add(watch("nodes of the replay", KubePath.nodes(), nodeListener()));
          made.add(watchPods());
          namespaces.forEach(namespace -> made.add(steps.namespace(namespace)));
          nodes.forEach(node -> made.add(steps.perform(node)));
          return Future.all(made).mapEmpty();
        });
  }

  /** Completes when as many nodes are Ready. */
  public Future<Void> nodesReady(int count) {
    return onLoop(() -> awaitReady(count));
  }

  private Future<Void> awaitReady(int count) {
    return sightings.readyNodes() >= count
        ? Future.succeededFuture()
        : vertx.timer(POLL_MILLIS / 5).compose(again -> awaitReady(count));
  }

  /**
   * Makes what exists when the clock starts; see {@link InitialObjects}.
   *
   * @param running number of pods to wait for
   * @return failures, each with its object
   */
  public Future<List<String>> establish(ReplayPlan plan, int running) {
    return onLoop(
        () -> new InitialObjects(vertx, steps(), sightings).make(plan.initial(), running));
  }

  private ClusterSteps steps() {
    return new ClusterSteps(api(), id, sightings);
  }

  private Future<Void> watch(String name, KubePath path, ReflectorListener<NodeView> listener) {
    return follow(ListWatch.of(name, path, new NodeDecoder()), listener);
  }

  private Future<Void> watchPods() {
    return follow(
        ListWatch.of("pods of the replay", KubePath.pods(), new PodDecoder()), podListener());
  }

  private <T extends KubeObject> Future<Void> follow(
      ListWatch<T> what, ReflectorListener<T> listener) {
    Reflector<T> reflector =
        new Reflector<>(
            started(client),
            what.withLabelSelector(ReplayLabels.selector(id)),
            listener,
            Reflector.DEFAULT_BACKOFF,
            random.split());
    reflectors.add(reflector);
    return reflector.start();
  }

  private long now() {
    Driver running = driver;
    return running == null ? 0 : running.elapsed();
  }

  private ReflectorListener<NodeView> nodeListener() {
    return new ReflectorListener<>() {
      @Override
      public void upserted(NodeView node) {
        sightings.node(node, now());
        readyNodes = sightings.readyNodes();
      }

      @Override
      public void deleted(Tombstone node) {
        sightings.nodeGone(node.name(), now());
        readyNodes = sightings.readyNodes();
      }

      @Override
      public void synced() {}
    };
  }

  private ReflectorListener<PodView> podListener() {
    return new ReflectorListener<>() {
      @Override
      public void upserted(PodView pod) {
        sightings.pod(pod, now());
        pods = sightings.pods();
        runningPods = sightings.running();
      }

      @Override
      public void deleted(Tombstone pod) {
        sightings.podGone(pod.uid(), now());
      }

      @Override
      public void synced() {}
    };
  }

  /**
   * Runs the plan.
   *
   * @return the driver with its lateness, at the end of the replay; fails when the event loop does
   */
  public Future<Driver> drive(ReplayPlan plan) {
    return onLoop(
        () -> {
          ClusterSteps steps = steps();
          Driver made =
              new Driver(
                  plan.steps(),
                  new Driver.Timers() {
                    @Override
                    public long now() {
                      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
                    }

                    @Override
                    public void after(long millis, Runnable task) {
                      vertx.setTimer(millis, timer -> task.run());
                    }
                  },
                  step -> {
                    done++;
                    return steps.perform(step);
                  });
          driver = made;
          return made.run(plan.millis()).map(made);
        });
  }

  /** What was seen so far; see {@link Sightings#times}. */
  public Future<RunTimes> times(Predicate<String> initial, long millis) {
    return onLoop(() -> Future.succeededFuture(sightings.times(initial, millis)));
  }

  /** Makes no more steps and retries no more requests. */
  public Future<Void> cancel() {
    return onLoop(
        () -> {
          if (driver != null) {
            driver.stop();
          }
          return Future.succeededFuture();
        });
  }

  /**
   * Removes what this replay made. Completes when nothing is left.
   *
   * @return fails with a {@code KubeException}
   */
  public Future<Void> clean() {
    return onLoop(
        () -> sweep(new Cleaner(api(), ReplayLabels.selector(id)), withCronJobs(resources)));
  }

  /** Removes what any replay made; otherwise like {@link #clean}. */
  public Future<Void> cleanAll() {
    return onLoop(
        () ->
            Cleaner.discover(api())
                .compose(found -> sweep(new Cleaner(api(), ReplayLabels.REPLAY), found)));
  }

  /** The Jobs of CronJobs may be there although the plan has none yet. */
  private static List<ApiResource> withCronJobs(List<ApiResource> resources) {
    Set<ApiResource> all = new HashSet<>(resources);
    resources.stream()
        .filter(resource -> resource.plural().equals("cronjobs"))
        .forEach(resource -> all.add(new ApiResource(resource.apiVersion(), "Job", "jobs", true)));
    return List.copyOf(all);
  }

  private Future<Void> sweep(Cleaner cleaner, List<ApiResource> kinds) {
    return cleaner
        .sweep(kinds)
        .compose(
            left ->
                left == 0
                    ? Future.succeededFuture()
                    : vertx.timer(POLL_MILLIS).compose(again -> sweep(cleaner, kinds)));
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        v -> {
          try {
            task.get().onComplete(promise);
          } catch (RuntimeException e) {
            promise.fail(e);
          }
        });
    return promise.future();
  }
}
