package dev.vertlet.nodes;

import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Guards calls of a back end about its nodes against exceptions. */
final class GuardedNodes {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedNodes.class);

  private final NodeProvider provider;

  GuardedNodes(NodeProvider provider) {
    this.provider = provider;
  }

  /** Health of a node; not ready if the provider fails to report it. */
  NodeHealth health(String node) {
    try {
      return Objects.requireNonNull(provider.health(node), "the provider said null");
    } catch (RuntimeException | LinkageError e) {
      return new NodeHealth(false, "the provider's health check failed: " + text(e), List.of());
    }
  }

  /**
   * Description of a node.
   *
   * @return empty if the provider fails: the previous description then stays
   */
  Optional<NodeSpec> describe(NodeSpec configured) {
    try {
      NodeSpec described = provider.configure(configured);
      if (described.name().equals(configured.name())) {
        return Optional.of(described);
      }
      complain(configured.name(), "it calls the node " + described.name());
    } catch (RuntimeException | LinkageError e) {
      complain(configured.name(), text(e));
    }
    return Optional.empty();
  }

  private static void complain(String node, String error) {
    LOG.atWarn()
        .addKeyValue("node", node)
        .addKeyValue("error", error)
        .log("the provider failed to say what the node has");
  }

  void observed(NodeView node) {
    try {
      provider.observed(node);
    } catch (RuntimeException | LinkageError e) {
      LOG.atWarn()
          .addKeyValue("node", node.name())
          .addKeyValue("error", text(e))
          .log("the provider failed to take the node's object");
    }
  }

  void forget(String node) {
    try {
      provider.forget(node);
    } catch (RuntimeException | LinkageError e) {
      LOG.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("error", text(e))
          .log("the provider failed to forget the node");
    }
  }

  static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
