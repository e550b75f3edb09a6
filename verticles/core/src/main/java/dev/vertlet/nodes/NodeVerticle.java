package dev.vertlet.nodes;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_BACKDATED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_GONE;
import static dev.vertlet.bus.Addresses.NODE_OBSERVED;
import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the nodes of one shard and maintains their objects; sole owner of their {@link
 * NodeState}s.
 */
public final class NodeVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(NodeVerticle.class);

  /** An error handler without an answer for this long has not handled the error. */
  private static final Duration HANDLER_TIMEOUT = Duration.ofSeconds(30);

  private final int shard;
  private final NodeSettings settings;
  private final NodeProvider provider;
  private final GuardedNodes guarded;
  private final KubeClient kube;
  private final Bus bus;
  private final Env env;
  private final Future<Map<String, KubeletEndpoint>> endpoints;
  private final Map<String, Entry> nodes = new LinkedHashMap<>();
  private NodeErrorHandler errors = NodeErrorHandler.NONE;

  @SuppressWarnings("NullAway.Init") // set by start
  private NodePings pings;

  private boolean stopped;

  /**
   * Creates the verticle.
   *
   * @param provider back end of the nodes
   * @param endpoints kubelet endpoints by node, once they are known; nodes are registered without
   *     waiting for them. Read again after {@code NodeConfigured}
   */
  public NodeVerticle(
      int shard,
      NodeSettings settings,
      NodeProvider provider,
      Future<Map<String, KubeletEndpoint>> endpoints,
      KubeClient kube,
      Bus bus,
      Env env) {
    this.shard = shard;
    this.settings = settings;
    this.provider = provider;
    this.guarded = new GuardedNodes(provider);
    this.endpoints = endpoints;
    this.kube = kube;
    this.bus = bus;
    this.env = env;
    for (String name : settings.names()) {
      NodeOptions own = settings.options().apply(name);
      add(new NodeObject(provider.configure(settings.specs().apply(name)), own.label()), own);
    }
  }

  /** Sets the handler of failed requests; before the start. */
  public NodeVerticle onError(NodeErrorHandler handler) {
    errors = handler;
    return this;
  }

  private Entry add(NodeObject described, NodeOptions own) {
    NodeObject object = provider.leavesStatus() ? described.leavingStatus() : described;
    String name = object.spec().name();
    NodeState state =
        new NodeState(
            object, guarded.health(name), own.reportFrequency(), env.clock(), env.random());
    Entry entry = new Entry(state, own);
    nodes.put(name, entry);
    return entry;
  }

  @Override
  public Future<?> start() {
    kube.whenServerReturns(this::onServerReturned);
    pings = new NodePings(provider, vertx, context, ping -> bus.publish(NODE_PINGED, ping));
    Future<?> listening =
        Future.all(
            List.of(
                bus.consume(LEASE_ACQUIRED, m -> with(m.node(), e -> served(e, true))).completion(),
                bus.consume(LEASE_LOST, m -> with(m.node(), e -> served(e, false))).completion(),
                bus.consume(LEASE_BACKDATED, m -> with(m.node(), this::onBackdated)).completion(),
                bus.consume(NODE_ADOPTED.shard(shard), this::onAdopted).completion(),
                bus.consume(NODE_RELEASED.shard(shard), m -> onReleased(m.node())).completion(),
                bus.consume(NODE_CONFIGURED.shard(shard), m -> with(m.node(), this::onConfigured))
                    .completion(),
                bus.consume(NODE_OBSERVED.shard(shard), m -> onObserved(m.node())).completion(),
                bus.consume(NODE_GONE.shard(shard), m -> onGone(m.node(), m.uid())).completion()));
    endpoints.onSuccess(known -> context.runOnContext(v -> onEndpoints(known)));
    provider.onChange(node -> context.runOnContext(v -> with(node, this::onChange)));
    return listening.onSuccess(v -> nodes.forEach((name, entry) -> pings.add(name, entry.options)));
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    pings.stop();
    nodes.values().forEach(Entry::cancelTimer);
    return Future.succeededFuture();
  }

  private void onServerReturned() {
    for (Entry entry : List.copyOf(nodes.values())) {
      entry.state.serverReturned();
      drive(entry);
    }
  }

  private void with(String node, Consumer<Entry> action) {
    Entry entry = nodes.get(node);
    if (entry != null) {
      action.accept(entry);
    }
  }

  private void onAdopted(NodeAdopted adopted) {
    String node = adopted.node();
    NodeSpec spec = settings.specs().apply(node);
    Entry entry =
        add(
            NodeObject.adopted(guarded.describe(spec).orElse(spec), adopted.selfManaged()),
            settings.options().apply(node));
    if (endpoints.succeeded()) {
      reachedAt(entry, endpoints.result());
    }
    pings.add(node, entry.options);
  }

  /** Forgets a node; requests in flight may still take effect. */
  private void onReleased(String node) {
    Entry entry = nodes.remove(node);
    if (entry != null) {
      entry.cancelTimer();
      pings.remove(node);
      entry.requests.close();
      guarded.forget(node);
      LOG.atDebug().addKeyValue("node", node).log("node forgotten");
    }
  }

  /** Whether the entry is the current one of its name. */
  private boolean known(Entry entry) {
    return nodes.get(entry.state.node()) == entry;
  }

  private void served(Entry entry, boolean value) {
    entry.requests.close();
    if (value) {
      entry.requests = kube.scope(entry.state.node());
    }
    entry.state.served(value);
    drive(entry);
  }

  private void onBackdated(Entry entry) {
    entry.state.beatNow();
    drive(entry);
  }

  private void onObserved(NodeView node) {
    with(
        node.name(),
        entry -> {
          entry.state.observed(node);
          guarded.observed(node);
          entry.announcer.changes(entry.state);
          drive(entry);
        });
  }

  private void onGone(String node, String uid) {
    with(
        node,
        entry -> {
          entry.state.gone(uid);
          drive(entry);
        });
  }

  private void onEndpoints(Map<String, KubeletEndpoint> known) {
    nodes.forEach(
        (name, entry) -> {
          reachedAt(entry, known);
          drive(entry);
        });
  }

  private void reachedAt(Entry entry, Map<String, KubeletEndpoint> known) {
    String node = entry.state.node();
    entry.state.reachedAt(
        KubeletEndpoint.of(known, node).declaring(settings.features().apply(node)));
  }

  private void onChange(Entry entry) {
    entry.state.health(guarded.health(entry.state.node()));
    describe(entry);
  }

  private void onConfigured(Entry entry) {
    entry.options = settings.options().apply(entry.state.node());
    entry.state.reportEvery(entry.options.reportFrequency());
    pings.configure(entry.state.node(), entry.options);
    if (endpoints.succeeded()) {
      reachedAt(entry, endpoints.result());
    }
    describe(entry);
  }

  private void describe(Entry entry) {
    guarded.describe(settings.specs().apply(entry.state.node())).ifPresent(entry.state::described);
    drive(entry);
  }

  private void drive(Entry entry) {
    if (stopped || !known(entry)) {
      return;
    }
    String name = entry.state.node();
    NodeState.Step step = entry.state.next();
    if (step instanceof NodeState.Step.Wait wait) {
      entry.timer(wait.delay());
    } else if (step instanceof NodeState.Step.Read) {
      send(entry, KubeRequest.get(Lane.NODE, KubePath.node(name)), false);
    } else if (step instanceof NodeState.Step.Create create) {
      entry.announcer.creates();
      send(entry, KubeRequest.create(Lane.NODE, KubePath.nodes(), create.body()), true);
    } else if (step instanceof NodeState.Step.PatchMetadata patch) {
      String type = MediaType.STRATEGIC_MERGE_PATCH;
      send(entry, KubeRequest.patch(Lane.NODE, KubePath.node(name), type, patch.body()), false);
    } else if (step instanceof NodeState.Step.PatchStatus patch) {
      String type = MediaType.STRATEGIC_MERGE_PATCH;
      KubePath path = KubePath.nodeStatus(name);
      Future<?> written = send(entry, KubeRequest.patch(Lane.NODE, path, type, patch.body()), true);
      if (patch.rebooted()) {
        written.onSuccess(v -> entry.announcer.rebooted(entry.state));
      }
    }
  }

  private Future<?> send(Entry entry, KubeRequest request, boolean writesStatus) {
    return entry
        .requests
        .send(request)
        .map(KubeResponse::body)
        .map(NodeDecoder::decode)
        .onSuccess(
            node -> {
              entry.state.answered(node, writesStatus);
              entry.triedAtOnce = false;
              if (known(entry)) {
                guarded.observed(node);
                entry.announcer.changes(entry.state);
                drive(entry);
              }
            })
        .onFailure(failure -> onFailed(entry, request, KubeException.from(failure)));
  }

  private void onFailed(Entry entry, KubeRequest request, KubeException failure) {
    boolean reading = request.body() == null;
    if (reading && failure.kind() == KubeException.Kind.NOT_FOUND) {
      entry.state.notFound();
      drive(entry);
      return;
    }
    entry.announcer.failed(entry.state, failure);
    boolean asks = !entry.triedAtOnce && failure.kind() != KubeException.Kind.CANCELLED;
    entry.triedAtOnce = false;
    if (!asks || errors == NodeErrorHandler.NONE) {
      entry.state.failed(failure);
      drive(entry);
      return;
    }
    ProviderCall.in(context, HANDLER_TIMEOUT, () -> errors.handle(entry.state.node(), failure))
        .onComplete(answer -> onHandled(entry, failure, answer.succeeded()));
  }

  private void onHandled(Entry entry, KubeException failure, boolean handled) {
    entry.state.failed(failure);
    if (handled) {
      entry.triedAtOnce = true;
      entry.state.retryNow();
    }
    drive(entry);
  }

  /** State of one node and its timer. */
  private final class Entry {
    final NodeState state;
    private NodeOptions options;
    private @Nullable Long timer;
    private RequestScope requests; // replaced with each term of the lease
    private final NodeAnnouncer announcer = new NodeAnnouncer(bus);

    /** The error handler permitted the request in flight at once, instead of with back-off. */
    private boolean triedAtOnce;

    Entry(NodeState state, NodeOptions options) {
      this.state = state;
      this.requests = kube.scope(state.node());
      this.options = options;
    }

    void cancelTimer() {
      if (timer != null) {
        vertx.cancelTimer(timer);
        timer = null;
      }
    }

    void timer(Duration delay) {
      cancelTimer();
      timer =
          vertx.setTimer(
              Math.max(1, delay.toMillis()),
              id -> {
                timer = null;
                drive(this);
              });
    }
  }
}
