package dev.vertlet.agent;

import dev.vertlet.auth.KubeletAccess;
import dev.vertlet.config.AgentConfig;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.dynamicconfig.DynamicConfig;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.server.Readiness;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running agent: its verticles, their event loops, and the order in which they start and stop.
 *
 * <p>One loop carries the client of the API server, leases, events and watches. Each shard has a
 * loop for its provider, pod sync, sources, status and nodes; a single shard of simulated nodes
 * shares the first loop. One more loop serves the kubelets' API, so that no stream delays a shard.
 * Writers start before the verticles that cause writes. Everything stops in reverse order, the
 * shards in parallel: the kubelets' API first, then nodes and watches, leases last.
 */
final class Agent implements AgentRunner.Running {
  /** Tenths of a stop's time for the end of pods; the rest is for writes and leases. */
  private static final int DRAIN_TENTHS = 7;

  /** Interval at which {@link #ready} looks. */
  private static final long READY_MILLIS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

  private final AgentResources resources;
  private final StartupConfig config;

  /** Access to the agent's own metrics and page. */
  private final ObservabilityAccess readers;

  private final Readiness readiness;
  private final AgentHooks hooks;
  private final ShardFactory factory;
  private final KubeletApi api;

  /** Shards to drain; empty until the agent has started. */
  private ShardSet running;

  private Agent(
      AgentResources resources,
      StartupConfig config,
      ObservabilityAccess readers,
      Readiness readiness,
      AgentHooks hooks) {
    this.resources = resources;
    this.config = config;
    this.readers = readers;
    this.readiness = readiness;
    this.hooks = hooks;
    this.factory = new ShardFactory(resources, config, hooks);
    this.api = new KubeletApi(resources, config);
    this.running = new ShardSet(List.of(), resources.loops());
  }

  /**
   * Starts an agent. Completes when all its verticles run, which is before its nodes are
   * registered; waits for an absent API server in the background.
   *
   * @param vertx not used by another agent
   * @param exit called when the process has to end so that the next one runs with another config
   * @return fails when the configuration cannot be used: unreadable kubeconfig, port taken
   */
  static Future<Agent> start(
      LoadedConfig loaded, Vertx vertx, MeterRegistry metrics, Runnable exit) {
    return start(loaded, vertx, metrics, exit, AgentHooks.NONE);
  }

  /** Starts an agent with parts of an embedding program. */
  static Future<Agent> start(
      LoadedConfig loaded, Vertx vertx, MeterRegistry metrics, Runnable exit, AgentHooks hooks) {
    VertletConfig local = loaded.config();
    AgentResources resources =
        AgentResources.create(
            vertx, metrics, new FeatureOptions(local).syncLoopLimit(), hooks.clock());
    EventLoops loops = resources.loops();
    ObservabilityAccess readers = ObservabilityAccess.of(local);
    Readiness readiness = HealthVerticles.readiness(local);
    return loops
        .deploy(loops.main())
        .compose(id -> readers.start(loops))
        .compose(v -> HealthVerticles.start(resources, local, readiness, readers.door()))
        .compose(
            v ->
                DynamicConfig.boot(
                    loaded, vertx, loops, resources.bus(), resources.wallEnv(), exit))
        .map(dynamic -> new Agent(resources, StartupConfig.of(dynamic), readers, readiness, hooks))
        .compose(Agent::connect)
        .recover(failure -> loops.leave().compose(v -> Future.failedFuture(failure)));
  }

  private Future<Agent> connect() {
    FeatureOptions options = config.options();
    KubeClientFactory given = hooks.client();
    KubeClientFactory clients =
        given != null
            ? given
            : (vertx, client, metrics) ->
                KubeClient.create(vertx, client, options.access(), metrics);
    return resources
        .loops()
        .main()
        .call(
            () ->
                ProviderCall.ask(
                    () -> clients.create(resources.vertx(), options.client(), resources.metrics())))
        .compose(client -> client)
        .onSuccess(this::guard)
        .compose(this::startVerticles)
        .map(v -> this)
        .recover(failure -> stop().otherwiseEmpty().compose(v -> Future.failedFuture(failure)));
  }

  private void guard(KubeClient kube) {
    resources
        .loops()
        .main()
        .execute(
            () ->
                readers.ask(KubeletAccess.ofTokens(resources.vertx(), kube, resources.wallEnv())));
  }

  private Future<?> startVerticles(KubeClient kube) {
    config.nodes().forEach(n -> kube.limit(n.spec().name(), n.api().perSecond(), n.api().burst()));
    ShardSet shards = factory.make();
    MainVerticles main = new MainVerticles(resources, config, hooks, kube);
    return shards
        .deployLoops()
        .compose(v -> api.open(shards, kube))
        .compose(v -> main.start(shards, factory, api))
        .compose(v -> api.listening())
        .onSuccess(v -> running = shards)
        .onSuccess(
            v ->
                LOG.atInfo()
                    .addKeyValue("nodes", config.nodes().size())
                    .addKeyValue("identity", config.process().agent().identity())
                    .log("agent started"));
  }

  /**
   * Waits until the agent is ready.
   *
   * @return completes when it is for the first time; may never complete
   */
  Future<Void> ready() {
    Promise<Void> ready = Promise.promise();
    Vertx vertx = resources.vertx();
    // a look at each message would take the square of the number of nodes
    resources
        .loops()
        .main()
        .execute(
            () ->
                vertx.setPeriodic(
                    READY_MILLIS,
                    timer -> {
                      if (readiness.isReady() && vertx.cancelTimer(timer)) {
                        ready.complete();
                      }
                    }));
    return ready.future();
  }

  /**
   * Finishes writes in flight, releases the leases and leaves the pods running, unless {@code
   * agent.drainOnShutdown} ends them.
   *
   * @return completes when all verticles have left
   */
  @Override
  public Future<Void> stop() {
    AgentConfig settings = config.process().agent();
    // drained before the verticles stop, as they still write node and pod statuses
    Future<?> drained =
        settings.drainOnShutdown()
            ? running.drain(settings.shutdownTimeout().multipliedBy(DRAIN_TENTHS).dividedBy(10))
            : Future.succeededFuture();
    // the API first, so that no client sees a half-stopped agent
    return drained
        .eventually(api::stop)
        .eventually(resources.loops()::leave)
        .otherwiseEmpty()
        .mapEmpty();
  }
}
