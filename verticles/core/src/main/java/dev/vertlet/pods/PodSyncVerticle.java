package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.MIRROR_OBSERVED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_ENQUEUED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_QUERY;
import static dev.vertlet.bus.Addresses.POD_REPORTED;
import static dev.vertlet.bus.Addresses.SOURCES_READY;
import static dev.vertlet.bus.Addresses.STATIC_POD_ENDED;
import static dev.vertlet.bus.Addresses.STATIC_POD_OBSERVED;

import dev.vertlet.bus.BatchAddress;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodGone;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.StaticPodEnded;
import dev.vertlet.bus.StaticPodObserved;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.VertxLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Runs the {@link PodSync} of one shard on an event loop and connects it to the bus. */
public final class PodSyncVerticle extends VerticleBase {
  /**
   * A provider call without an answer for this long counts as failed, so that a hung create cannot
   * block a deletion for ever.
   */
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  private final int shard;
  private final List<String> nodes;
  private final List<String> sourced;
  private final PodProvider provider;
  private Duration callTimeout = CALL_TIMEOUT;
  private Predicate<String> abandoned = node -> false;
  private final KubeClient kube;
  private final Bus bus;
  private final Env env;

  /** Static pods as JSON, by UID. */
  private final Map<String, Buffer> manifests = new HashMap<>();

  @SuppressWarnings("NullAway.Init") // set by start
  private PodSync sync;

  /**
   * Creates the verticle.
   *
   * @param nodes names of this shard's nodes
   * @param sourced those of them that have static pods, too: unknown pods are not ended there
   *     before {@code SourcesReady}
   * @param provider this shard's own instance
   */
  public PodSyncVerticle(
      int shard,
      Collection<String> nodes,
      Collection<String> sourced,
      PodProvider provider,
      KubeClient kube,
      Bus bus,
      Env env) {
    this.shard = shard;
    this.nodes = List.copyOf(nodes);
    this.sourced = List.copyOf(sourced);
    this.provider = provider;
    this.kube = kube;
    this.bus = bus;
    this.env = env;
  }

  /** Sets a shorter timeout, for tests. Before the start. */
  PodSyncVerticle callTimeout(Duration timeout) {
    callTimeout = timeout;
    return this;
  }

  /**
   * Sets which nodes no agent serves any more, so that this shard ends what its provider has of
   * them; none by default. Before the start.
   */
  public PodSyncVerticle abandoned(Predicate<String> nodes) {
    abandoned = nodes;
    return this;
  }

  @Override
  public Future<?> start() {
    CoreLoop loop = new VertxLoop(vertx);
    sync = new PodSync(nodes, sourced, provider, loop, new OnTheBus(), env.nanos(), env.random());
    ProviderContext given =
        new ShardContext(
            vertx,
            loop,
            env,
            kube,
            bus,
            sync::reported,
            sync::unclaimed,
            pod -> manifests.get(pod.uid()));
    return sync.start(given)
        .compose(
            v ->
                Future.all(
                    List.of(
                        bus.consume(POD_OBSERVED.shard(shard), m -> sync.observed(m.pod()))
                            .completion(),
                        bus.consume(POD_ENQUEUED.shard(shard), m -> sync.enqueued(m.pod()))
                            .completion(),
                        bus.consume(STATIC_POD_OBSERVED.shard(shard), this::onStatic).completion(),
                        bus.consume(MIRROR_OBSERVED.shard(shard), m -> sync.mirrorObserved(m.pod()))
                            .completion(),
                        bus.consume(NODE_ADOPTED.shard(shard), m -> sync.adopted(m.node()))
                            .completion(),
                        bus.consume(NODE_RELEASED.shard(shard), m -> sync.released(m.node()))
                            .completion(),
                        bus.consume(SOURCES_READY.shard(shard), m -> sync.sourcesSeen(m.node()))
                            .completion(),
                        bus.answer(POD_QUERY.shard(shard), sync::known).completion(),
                        bus.consume(POD_GONE.shard(shard), this::onGone).completion(),
                        bus.consume(PODS_SYNCED, m -> sync.synced(m.nodes(), m.term()))
                            .completion(),
                        bus.consume(LEASE_ACQUIRED, m -> sync.acquired(m.node(), m.term()))
                            .completion(),
                        bus.consume(LEASE_LOST, m -> sync.lost(m.node())).completion())));
  }

  private void onStatic(StaticPodObserved message) {
    manifests.put(message.pod().uid(), message.object());
    sync.staticObserved(message.pod());
  }

  private void onGone(PodGone message) {
    if (message.elsewhere()) {
      sync.elsewhere(message.pod());
    } else {
      manifests.remove(message.pod().uid());
      sync.gone(message.pod());
    }
  }

  @Override
  public Future<?> stop() {
    return sync.stop();
  }

  private final class OnTheBus implements PodSync.Surroundings {
    private final BatchAddress<PodReport> reports = POD_REPORTED.shard(shard);

    @Override
    public <T> Future<T> ask(Supplier<Future<T>> call) {
      return ProviderCall.in(context, callTimeout, call);
    }

    @Override
    public void report(PodReport report) {
      bus.send(reports, report);
    }

    @Override
    public void event(ObjectEvent event) {
      bus.send(OBJECT_EVENT, event);
    }

    @Override
    public void staticEnded(PodRef pod) {
      bus.send(STATIC_POD_ENDED.shard(shard), new StaticPodEnded(pod));
    }

    @Override
    public boolean abandoned(String node) {
      return abandoned.test(node);
    }
  }
}
