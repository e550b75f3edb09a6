package dev.vertlet.configsync;

import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kubelet's metrics of its dynamic configuration, for each node: 1 with the labels of the
 * assigned, active and last known good config, and whether there is an error. Meters of outdated
 * labels are removed. Confined to the verticle's context.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.19.0/pkg/kubelet/metrics">node_config_*,
 *     kubelet 1.19</a>
 */
final class ConfigMeters {
  private static final Metric ASSIGNED =
      source("kubelet_node_config_assigned", "the node is to use");
  private static final Metric ACTIVE = source("kubelet_node_config_active", "the node uses");
  private static final Metric LAST_KNOWN_GOOD =
      source("kubelet_node_config_last_known_good", "the node goes back to when another fails");
  private static final Metric ERROR =
      Metric.gauge(
          "kubelet_node_config_error",
          "",
          "1 while the config of the node has an error, otherwise 0",
          "node");

  private final MeterRegistry registry;
  private final Map<String, ConfigFacts> counted = new HashMap<>();
  private final Map<String, List<Meter>> meters = new HashMap<>();

  ConfigMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Updates the meters of one node.
   *
   * @return whether anything has changed
   */
  boolean update(String node, ConfigFacts facts) {
    if (facts.equals(counted.put(node, facts))) {
      return false;
    }
    remove(node);
    List<Meter> now = new ArrayList<>();
    now.add(gauge(ASSIGNED, node, facts.assigned()));
    now.add(gauge(ACTIVE, node, facts.active()));
    now.add(gauge(LAST_KNOWN_GOOD, node, facts.lastKnownGood()));
    int error = facts.error().isEmpty() ? 0 : 1;
    now.add(ERROR.gauge(registry, () -> error, node));
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

  private Gauge gauge(Metric metric, String node, @Nullable ResolvedSource source) {
    return source == null
        ? metric.gauge(registry, () -> 1, node, "local", "", "", "")
        : metric.gauge(
            registry,
            () -> 1,
            node,
            source.apiPath(),
            source.uid(),
            source.resourceVersion(),
            source.source().key());
  }

  private static Metric source(String name, String which) {
    return Metric.gauge(
        name,
        "",
        "the config that " + which + "; always 1. `local` is that of the agent's own file",
        "node",
        "node_config_source",
        "node_config_uid",
        "node_config_resource_version",
        "node_config_kubelet_key");
  }
}
