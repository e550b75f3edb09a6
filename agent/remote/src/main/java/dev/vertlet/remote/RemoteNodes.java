package dev.vertlet.remote;

import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.remote.client.BackendClient;
import dev.vertlet.remote.client.Call;
import dev.vertlet.remote.client.Paths;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The back end's nodes. An unreachable back end makes them NotReady; their Leases are renewed, as a
 * kubelet's are while its runtime is down. Confined to one context.
 */
final class RemoteNodes implements NodeProvider {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteNodes.class);

  private final BackendClient client;
  private final Consumer<String> served;
  private final Map<String, NodeView> documents = new HashMap<>();
  private final List<Consumer<String>> listeners = new ArrayList<>();
  private final Map<String, NodeSpec> specs = new HashMap<>();
  private final Map<String, String> hostIPs = new HashMap<>();
  private String problem;
  private boolean offered = true;
  private @Nullable Future<Void> reading;

  /**
   * @param nodes the shard's nodes, as configured
   * @param served called when a node may be served from now on
   */
  RemoteNodes(BackendClient client, Collection<NodeSpec> nodes, Consumer<String> served) {
    this.client = client;
    for (NodeSpec node : nodes) {
      specs.put(node.name(), node);
      hostIPs.put(node.name(), node.hostIP());
    }
    this.served = served;
    this.problem = client.settings().display() + " has not answered yet";
  }

  /**
   * Reads the documents of all nodes, unless they are being read.
   *
   * @return completes, never fails
   */
  Future<Void> read() {
    Future<Void> now = reading;
    if (now != null && !now.isComplete()) {
      return now;
    }
    offered = true;
    now =
        Future.join(List.copyOf(specs.keySet()).stream().map(this::read).toList())
            .transform(done -> Future.succeededFuture());
    reading = now;
    return now;
  }

  private Future<Void> read(String node) {
    if (!offered) {
      return Future.succeededFuture();
    }
    return client
        .call(Call.get("node", Paths.of("v1", "node").query("name", node).toString()))
        .map(answer -> NodeDecoder.decode(answer.body()))
        .onSuccess(document -> store(node, document))
        .onFailure(failure -> unread(node, failure))
        .mapEmpty();
  }

  private void unread(String node, Throwable failure) {
    ProviderException.Kind kind = ProviderException.kindOf(failure);
    if (kind == ProviderException.Kind.UNSUPPORTED) {
      offered = false;
    } else if (kind != ProviderException.Kind.NOT_FOUND) {
      LOG.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("error", failure.getMessage())
          .log("the back end's document of the node cannot be read");
    }
  }

  private void store(String node, NodeView document) {
    NodeSpec spec = specs.get(node);
    if (spec != null && !document.equals(documents.put(node, document))) {
      hostIPs.put(node, NodeDocument.over(spec, document).hostIP());
      changed(node);
    }
  }

  /** Takes a node of the event stream. */
  void observed(JsonObject json) {
    Buffer bytes = json.toBuffer();
    NodeView document = NodeDecoder.decode(bytes);
    store(document.name(), document);
  }

  /** The back end has become reachable, with an empty text, or unreachable. */
  void reachable(String why) {
    problem = why;
    List.copyOf(specs.keySet()).forEach(this::changed);
  }

  private void changed(String node) {
    listeners.forEach(listener -> listener.accept(node));
  }

  @Override
  public Future<Void> ping(String node) {
    served.accept(node);
    return Future.succeededFuture();
  }

  @Override
  public NodeHealth health(String node) {
    if (!problem.isEmpty()) {
      return new NodeHealth(false, "the back end cannot be reached: " + problem, List.of());
    }
    NodeView document = documents.get(node);
    return document == null ? NodeHealth.HEALTHY : NodeDocument.health(document);
  }

  /** Conditions that the back end reports of a node, Ready included. */
  List<NodeConditionView> conditions(String node) {
    NodeView document = documents.get(node);
    return document == null ? List.of() : document.status().conditions();
  }

  @Override
  public void onChange(Consumer<String> listener) {
    listeners.add(listener);
  }

  @Override
  public NodeSpec configure(NodeSpec spec) {
    if (specs.put(spec.name(), spec) == null) {
      var unused = read(spec.name()); // an adopted node; its document arrives as a change
    }
    NodeView document = documents.get(spec.name());
    NodeSpec whole = document == null ? spec : NodeDocument.over(spec, document);
    hostIPs.put(spec.name(), whole.hostIP());
    return whole;
  }

  /** Reads the usage of a node and its pods. */
  Future<NodeUsage> usage(String node) {
    String path = Paths.of("v1", "stats", "summary").query("node", node).toString();
    return client.call(Call.get("stats", path)).map(answer -> UsageReader.read(answer.body()));
  }

  /** Address of a node for its pods; empty if it has none. */
  String hostIP(String node) {
    return hostIPs.getOrDefault(node, "");
  }

  @Override
  public void forget(String node) {
    specs.remove(node);
    documents.remove(node);
    hostIPs.remove(node);
  }
}
