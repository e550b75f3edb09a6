package dev.vertlet.testing;

import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A back end of nodes that a test makes ill. Healthy at first; any thread. */
public final class FakeNodes implements NodeProvider {
  private final Map<String, Supplier<Future<Void>>> answers = new ConcurrentHashMap<>();
  private final Map<String, NodeHealth> health = new ConcurrentHashMap<>();
  private final Map<String, RuntimeException> failures = new ConcurrentHashMap<>();
  private final Map<String, UnaryOperator<NodeSpec>> descriptions = new ConcurrentHashMap<>();
  private final Map<String, Integer> pings = new ConcurrentHashMap<>();
  private final Map<String, NodeView> seen = new ConcurrentHashMap<>();
  private volatile boolean refuses; // set by the test, read by the verticle
  private volatile Consumer<String> listener = node -> {}; // set by the verticle, used by the test

  public void answerPings(String node, Supplier<Future<Void>> answer) {
    answers.put(node, answer);
  }

  public void becomes(String node, boolean ready, String message) {
    becomes(node, new NodeHealth(ready, message, List.of()));
  }

  public void becomes(String node, NodeHealth value) {
    health.put(node, value);
    listener.accept(node);
  }

  /** This is how the node's description is completed from now on. */
  public void describes(String node, UnaryOperator<NodeSpec> description) {
    descriptions.put(node, description);
    listener.accept(node);
  }

  /** Asked how this node is, it throws. */
  public void cannotTell(String node, RuntimeException failure) {
    failures.put(node, failure);
    listener.accept(node);
  }

  /** Told of a node, it throws. */
  public void refuseObjects() {
    refuses = true;
  }

  /** The object of this node as the provider was last told of it, null before. */
  public @Nullable NodeView seen(String node) {
    return seen.get(node);
  }

  @Override
  public void observed(NodeView node) {
    if (refuses) {
      throw new IllegalStateException("broken");
    }
    seen.put(node.name(), node);
  }

  /** How often this node was pinged. */
  public int pings(String node) {
    return pings.getOrDefault(node, 0);
  }

  @Override
  public Future<Void> ping(String node) {
    pings.merge(node, 1, Integer::sum);
    return answers.getOrDefault(node, Future::succeededFuture).get();
  }

  @Override
  public NodeSpec configure(NodeSpec spec) {
    return descriptions.getOrDefault(spec.name(), UnaryOperator.identity()).apply(spec);
  }

  @Override
  public NodeHealth health(String node) {
    RuntimeException failure = failures.get(node);
    if (failure != null) {
      throw failure;
    }
    return health.getOrDefault(node, NodeHealth.HEALTHY);
  }

  @Override
  public void onChange(Consumer<String> value) {
    listener = value;
  }
}
