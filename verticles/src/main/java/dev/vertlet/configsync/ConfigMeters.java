package dev.vertlet.configsync;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kubelet's metrics of its dynamic configuration, for each node: 1 with the labels of what is
 * assigned, active and last known good, and whether something is wrong. Labels that count no longer
 * are gone. Confined to the verticle's context.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.19.0/pkg/kubelet/metrics">node_config_*,
 *     kubelet 1.19</a>
 */
final class ConfigMeters {
  private final MeterRegistry registry;
  private final Map<String, ConfigFacts> told = new HashMap<>();
  private final Map<String, List<Meter>> meters = new HashMap<>();

  ConfigMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * @return whether anything is different
   */
  boolean update(String node, ConfigFacts facts) {
    if (facts.equals(told.put(node, facts))) {
      return false;
    }
    remove(node);
    List<Meter> now = new ArrayList<>();
    now.add(source(node, "assigned", "assigned", facts.assigned()));
    now.add(source(node, "active", "in use", facts.active()));
    now.add(source(node, "last.known.good", "last known good", facts.lastKnownGood()));
    now.add(
        gauge(
            "error",
            "Whether the node's config has an error",
            Tags.of("node", node),
            facts.error().isEmpty() ? 0 : 1));
    meters.put(node, now);
    return true;
  }

  void stop() {
    List.copyOf(meters.keySet()).forEach(this::remove);
  }

  private void remove(String node) {
    List<Meter> old = meters.remove(node);
    if (old != null) {
      old.forEach(registry::remove);
    }
  }

  private Gauge source(String node, String name, String what, @Nullable ResolvedSource source) {
    Tags tags =
        Tags.of(
            "node",
            node,
            "node.config.source",
            source == null ? "local" : source.apiPath(),
            "node.config.uid",
            source == null ? "" : source.uid(),
            "node.config.resource.version",
            source == null ? "" : source.resourceVersion(),
            "node.config.kubelet.key",
            source == null ? "" : source.source().key());
    return gauge(name, "The config that is " + what + "; always 1", tags, 1);
  }

  private Gauge gauge(String name, String description, Tags tags, double value) {
    return Gauge.builder("kubelet.node.config." + name, () -> value)
        .description(description)
        .tags(tags)
        .register(registry);
  }
}
