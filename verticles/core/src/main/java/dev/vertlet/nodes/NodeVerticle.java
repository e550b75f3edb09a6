package dev.vertlet.nodes;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_GONE;
import static dev.vertlet.bus.Addresses.NODE_OBSERVED;
import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;
import static dev.vertlet.bus.Addresses.NODE_STATUS_CHANGED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.loop.Env;
import dev.vertlet.model.NodeDecoder;
import dev.vertlet.model.NodeView;
import dev.vertlet.provider.NodeProvider;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.provider.ProviderCall;
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
import org.slf4j.event.Level;

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

  private Entry add(NodeObject object, NodeOptions own) {
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
    pings = new NodePings(provider, vertx, context, ping -> bus.publish(NODE_PINGED, ping));
    Future<?> listening =
        Future.all(
            List.of(
                bus.consume(LEASE_ACQUIRED, m -> with(m.node(), e -> served(e, true))).completion(),
                bus.consume(LEASE_LOST, m -> with(m.node(), e -> served(e, false))).completion(),
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

  private void onObserved(NodeView node) {
    with(
        node.name(),
        entry -> {
          entry.state.observed(node);
          guarded.observed(node);
          publishChanges(entry);
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
      entry.created = true;
      send(entry, KubeRequest.create(Lane.NODE, KubePath.nodes(), create.body()), true);
    } else if (step instanceof NodeState.Step.PatchMetadata patch) {
      String type = MediaType.STRATEGIC_MERGE_PATCH;
      send(entry, KubeRequest.patch(Lane.NODE, KubePath.node(name), type, patch.body()), false);
    } else if (step instanceof NodeState.Step.PatchStatus patch) {
      String type = MediaType.STRATEGIC_MERGE_PATCH;
      KubePath path = KubePath.nodeStatus(name);
      Future<?> written = send(entry, KubeRequest.patch(Lane.NODE, path, type, patch.body()), true);
      if (patch.rebooted()) {
        written.onSuccess(v -> rebooted(entry));
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
                publishChanges(entry);
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
    entry.complain(failure);
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

  /** Publishes changes of a node that is known to exist. */
  private void publishChanges(Entry entry) {
    String name = entry.state.node();
    String uid = entry.state.uid();
    boolean ready = entry.state.ready().equals("True");
    // as in a kubelet, only a change causes an event: a restart of the agent does not
    boolean readyBefore = entry.registeredUid.isEmpty() && !entry.created && ready;
    if (!uid.isEmpty() && !uid.equals(entry.registeredUid)) {
      boolean first = entry.registeredUid.isEmpty();
      entry.registeredUid = uid;
      entry.complaint = "";
      LOG.atLevel(entry.state.adopted() ? Level.DEBUG : Level.INFO)
          .addKeyValue("node", name)
          .log(first ? "node registered" : "node was deleted by somebody; registered again");
      bus.publish(NODE_REGISTERED, new NodeRegistered(name, uid));
      event(entry, ObjectEvent.NORMAL, "Starting", "Starting kubelet.");
    }
    boolean turned = ready != entry.ready;
    String message = entry.state.notReady();
    if (!uid.isEmpty() && (turned || !message.equals(entry.message))) {
      entry.ready = ready;
      entry.message = message;
      bus.publish(NODE_STATUS_CHANGED, new NodeStatusChanged(name, ready, message));
      if (turned && !readyBefore) {
        String reason = ready ? "NodeReady" : "NodeNotReady";
        event(entry, ObjectEvent.NORMAL, reason, "Node " + name + " status is now: " + reason);
      }
    }
  }

  private void rebooted(Entry entry) {
    String name = entry.state.node();
    String message = "Node " + name + " has been rebooted, boot id: " + entry.state.bootId();
    event(entry, ObjectEvent.WARNING, "Rebooted", message);
  }

  private void event(Entry entry, String type, String reason, String message) {
    if (!entry.state.selfManaged()) {
      String node = entry.state.node();
      bus.send(
          OBJECT_EVENT, new ObjectEvent("Node", "", node, node, "", type, reason, message, node));
    }
  }

  /** State of one node, its timer, and what was last published about it. */
  private final class Entry {
    final NodeState state;
    private NodeOptions options;
    private @Nullable Long timer;
    private RequestScope requests; // replaced with each term of the lease
    private boolean ready;
    private String message = "";

    /** Whether this agent has tried to create the object; otherwise it existed before. */
    private boolean created;

    private String registeredUid = "";
    private String complaint = "";

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

    /**
     * Logs a rejection once, not at each retry; the client logs failures that are not specific to
     * this node.
     */
    void complain(KubeException failure) {
      String text = String.valueOf(failure.getMessage());
      boolean refused = failure.recovery() == Recovery.GIVE_UP;
      if (refused && !text.equals(complaint)) {
        complaint = text;
        LOG.atError()
            .addKeyValue("node", state.node())
            .addKeyValue("error", text)
            .log("the API server refuses to take the node");
      }
    }
  }
}
