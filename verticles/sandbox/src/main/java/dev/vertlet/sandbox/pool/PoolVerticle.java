package dev.vertlet.sandbox.pool;

import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.VertxLoop;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.sandbox.DigestResolver;
import dev.vertlet.sandbox.KubePodApi;
import dev.vertlet.sandbox.PodApi;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.SandboxOperations;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pools of a process, on one event loop: passes each pool its pods, and calls from other
 * contexts. Its start does not wait for the API server. Its stop fails waiting claims and waits up
 * to 5 s for writes in progress.
 */
public final class PoolVerticle extends VerticleBase {
  /** A request may take 30 s, but the end of a process does not wait that long. */
  private static final Duration LAST_WRITES = Duration.ofSeconds(5);

  /** Maximum wait of a call for the first list of pods. */
  private static final Duration FIRST_LIST = Duration.ofSeconds(10);

  private static final long LOOK_MILLIS = 20;

  private final List<PoolSpec> specs;
  private final SandboxNames names;
  private final KubeClient kube;
  private final DigestResolver resolver;
  private final Env env;
  private final Map<String, Pool> pools = new LinkedHashMap<>();
  private final List<Reflector<PodObject>> reflectors = new ArrayList<>();
  private @Nullable Context own;

  /**
   * Creates the verticle.
   *
   * @param specs with different names
   * @param resolver called on the context of this verticle only
   * @param env with the machine's own clock, for the times in annotations
   */
  public PoolVerticle(
      List<PoolSpec> specs, SandboxNames names, KubeClient kube, DigestResolver resolver, Env env) {
    this.specs = List.copyOf(specs);
    this.names = names;
    this.kube = kube;
    this.resolver = resolver;
    this.env = env;
  }

  @Override
  public Future<?> start() {
    own = context;
    VertxLoop loop = new VertxLoop(vertx);
    PodApi api = new KubePodApi(kube);
    SandboxOperations operations = new SandboxOperations(api, names, loop, env).trusting();
    for (PoolSpec spec : specs) {
      Pool pool = new Pool(spec, operations, api, resolver, loop, env);
      pools.put(spec.name(), pool);
      Reflector<PodObject> reflector =
          new Reflector<>(
              kube,
              source(spec),
              new Feed(pool),
              Reflector.DEFAULT_BACKOFF,
              env.random(),
              env.clock());
      reflectors.add(reflector);
      reflector.start();
    }
    return Future.succeededFuture();
  }

  private ListWatch<PodObject> source(PoolSpec spec) {
    ListWatch<PodObject> all =
        ListWatch.of(
            "pods of pool " + spec.name(),
            KubePath.pods(spec.namespace()),
            new JsonTreeDecoder<>(PodObject::of));
    String selector =
        spec.selector().isEmpty() ? names.pool() + "=" + spec.name() : spec.selector();
    return new ListWatch<>(
        all.name(),
        all.path(),
        "",
        selector,
        all.decoder(),
        all.pageSize(),
        all.maxEventBytes(),
        all.watchTimeout());
  }

  @Override
  public Future<?> stop() {
    pools.values().forEach(Pool::stop);
    Future<?> quiet =
        lastWrites().timeout(LAST_WRITES.toMillis(), TimeUnit.MILLISECONDS).otherwiseEmpty();
    return quiet.compose(
        v -> Future.all(reflectors.stream().map(Reflector::stop).toList()).otherwiseEmpty());
  }

  private Future<Void> lastWrites() {
    return pools.values().stream().allMatch(pool -> pool.writing() == 0)
        ? Future.succeededFuture()
        : vertx.timer(LOOK_MILLIS, TimeUnit.MILLISECONDS).compose(v -> lastWrites());
  }

  /** Whether the first list of every pool is complete. Callable from any context. */
  public boolean synced() {
    return reflectors.stream().allMatch(Reflector::synced);
  }

  /** Names of the pools. */
  public List<String> names() {
    return specs.stream().map(PoolSpec::name).toList();
  }

  /**
   * Calls a pool on its own context. Callable from any context.
   *
   * @return completes on the caller's context; fails with {@link Reason#NOT_FOUND} for an unknown
   *     pool, with {@link Reason#NO_IDLE_PODS} when the first list is not complete in time, else as
   *     the question does
   */
  public <T> Future<T> ask(String name, Function<Pool, Future<T>> question) {
    Context target = own;
    if (target == null || !names().contains(name)) {
      return Future.failedFuture(
          new SandboxException(Reason.NOT_FOUND, "pool \"" + name + "\" not found"));
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    target.runOnContext(
        v ->
            answer(name, question)
                .onSuccess(answer::complete)
                .onFailure(answer::completeExceptionally));
    return Future.fromCompletionStage(answer, vertx.getOrCreateContext());
  }

  private <T> Future<T> answer(String name, Function<Pool, Future<T>> question) {
    Pool pool = pools.get(name);
    if (pool == null) {
      return Future.failedFuture(
          new SandboxException(Reason.NOT_FOUND, "pool \"" + name + "\" not found"));
    }
    return pool.known()
        .timeout(FIRST_LIST.toMillis(), TimeUnit.MILLISECONDS)
        .recover(late -> Future.failedFuture(new SandboxException(Reason.NO_IDLE_PODS)))
        .compose(v -> question.apply(pool));
  }

  /** Passes events of a watch to a pool. */
  private record Feed(Pool pool) implements ReflectorListener<PodObject> {
    @Override
    public void upserted(PodObject pod) {
      pool.upserted(pod.tree());
    }

    @Override
    public void deleted(Tombstone pod) {
      pool.deleted(pod.uid());
    }

    @Override
    public void synced() {
      pool.synced();
    }
  }
}
