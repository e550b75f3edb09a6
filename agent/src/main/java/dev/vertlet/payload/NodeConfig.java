package dev.vertlet.payload;

import dev.vertlet.config.ConfiguredNode;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.configsync.IgnoredField;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * What one node runs by.
 *
 * @param node the node itself
 * @param port of its kubelet; 0 for its place in {@code server.portRange}
 * @param config what else holds for it; its list of nodes says nothing about this one
 * @param sections {@code node}, {@code provider} and {@code agent} of a VertletConfiguration that
 *     would make it this one; what they do not name has its default
 * @param unused what a payload sets and nothing here is configured by, as {@code /configz} shows it
 * @param ignored what a payload sets and the node does not run by
 */
public record NodeConfig(
    ConfiguredNode node,
    int port,
    VertletConfig config,
    JsonObject sections,
    JsonObject unused,
    List<IgnoredField> ignored) {
  public NodeConfig {
    ignored = List.copyOf(ignored);
  }

  /**
   * The same, for a node that cannot have its port.
   *
   * @param pointer where that stands in the payload
   */
  public NodeConfig withoutPort(String pointer) {
    List<IgnoredField> more = new ArrayList<>(ignored);
    more.add(new IgnoredField(pointer, "another node of the agent has the port"));
    return new NodeConfig(node, 0, config, sections, unused, more);
  }

  /** What of a node a change concerns. */
  public enum Part {
    /** What is read anew, without anything being made anew. */
    LIVE,
    LEASE,
    SOURCES,
    /** How its kubelet is served. */
    SERVER,
    /** How lines of the log are written; of the first node alone. */
    LOG,
    /** The next process runs by it. */
    PROCESS
  }

  /**
   * What differs; empty when this is the same configuration, whatever it was made of. Whether
   * {@link #port} is another one, only who listens knows.
   */
  public Set<Part> changed(NodeConfig other) {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    if (differs(other, c -> c.node().spec(), c -> c.node().reserved())
        || differs(other, c -> c.node().eviction(), c -> c.node().imageGc(), c -> c.node().events())
        || differs(other, c -> c.node().api())
        || differs(other, c -> c.config().nodeStatus(), c -> c.config().dns())
        || differs(
            other,
            c -> c.config().pods().syncFrequency(),
            c -> c.config().pods().maxContainerBackOff(),
            c -> c.config().pods().containerLogMaxSize(),
            c -> c.config().pods().allowedUnsafeSysctls(),
            c -> c.config().simulated().rules(),
            c -> c.config().featureGates())) {
      parts.add(Part.LIVE);
    }
    if (differs(other, c -> c.config().lease())) {
      parts.add(Part.LEASE);
    }
    if (differs(
        other,
        c -> c.node().sources(),
        c -> c.config().pods().fileCheckFrequency(),
        c -> c.config().pods().httpCheckFrequency())) {
      parts.add(Part.SOURCES);
    }
    if (differs(other, c -> c.config().server().ofNode())) {
      parts.add(Part.SERVER);
    }
    if (differs(other, c -> c.config().log())) {
      parts.add(Part.LOG);
    }
    if (differs(
        other,
        c -> c.config().agent(),
        c -> c.config().kubernetes(),
        c -> c.config().tracing(),
        c -> c.config().server().ofProcess(),
        c -> c.config().simulated().withRules(List.of()),
        c -> c.config().providers())) {
      parts.add(Part.PROCESS);
    }
    return parts;
  }

  @SafeVarargs
  private boolean differs(NodeConfig other, Function<NodeConfig, Object>... parts) {
    for (Function<NodeConfig, Object> part : parts) {
      if (!Objects.equals(part.apply(this), part.apply(other))) {
        return true;
      }
    }
    return false;
  }
}
