package dev.vertlet.payload;

import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.problem.IgnoredField;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Effective configuration of one node.
 *
 * @param node the node itself
 * @param port port of its kubelet; 0 for a port of {@code server.portRange}
 * @param config configuration of everything else; its list of nodes does not apply to this node
 * @param sections sections {@code node}, {@code provider} and {@code agent} of an equivalent
 *     VertletConfiguration; keys that they omit have their defaults
 * @param unused fields of the payload without an effect in vertlet, as {@code /configz} shows them
 * @param ignored fields of the payload that do not apply to the node
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
   * Returns a copy for a node that cannot have the configured port.
   *
   * @param pointer JSON pointer of the port in the payload
   */
  public NodeConfig withoutPort(String pointer) {
    List<IgnoredField> more = new ArrayList<>(ignored);
    more.add(new IgnoredField(pointer, "another node of the agent has the port"));
    return new NodeConfig(node, 0, config, sections, unused, more);
  }

  /** Part of a node that a change affects. */
  public enum Part {
    /** Values that running components read again. */
    LIVE,
    LEASE,
    SOURCES,
    /** The server of the node's kubelet. */
    SERVER,
    /** The log format and levels; only for the first node. */
    LOG,
    /** Values that only the next process uses. */
    PROCESS
  }

  /**
   * Returns the parts that differ; empty for an equal configuration, whatever its sources. Only the
   * server knows whether {@link #port} differs.
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
        c -> c.config().stages(),
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
