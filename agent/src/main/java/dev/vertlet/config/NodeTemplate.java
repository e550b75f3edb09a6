package dev.vertlet.config;

import dev.vertlet.events.EventLimit;
import dev.vertlet.model.NodeAddressView;
import dev.vertlet.model.TaintView;
import dev.vertlet.sources.NodeSources;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One item of {@code nodes}: the settings of {@code count} nodes. Checked when it is expanded, as
 * most checks compare it with the other templates.
 *
 * @param name with <code>{i}</code> for the index of the node
 * @param capacity as written, without the defaults
 * @param reserved as written
 * @param taints null for the default taint, which names the provider
 * @param addresses null for the host's addresses
 * @param podCidrMask null for the default, which follows from the number of pods
 * @param staticPodPath with <code>{node}</code> for the node's name and <code>{i}</code> for its
 *     index; empty for none
 * @param staticPodUrl with the same placeholders
 * @param adopt label selector of the adopted Node objects; null for nodes that the agent creates
 */
record NodeTemplate(
    String name,
    int count,
    String provider,
    Map<String, String> labels,
    Map<String, String> annotations,
    @Nullable List<TaintView> taints,
    Map<String, String> capacity,
    Reserved reserved,
    EvictionTemplate eviction,
    ImageGcTemplate imageGc,
    ApiLimit api,
    EventLimit events,
    @Nullable List<NodeAddressView> addresses,
    String podCidr,
    @Nullable Integer podCidrMask,
    String operatingSystem,
    String architecture,
    String staticPodPath,
    String staticPodUrl,
    @Nullable String adopt) {
  /** Placeholder for the index of the node in its template. */
  static final String INDEX = "{i}";

  private static final String NODE = "{node}";

  /** Returns whether the template adopts Node objects instead of creating them. */
  boolean adopts() {
    return adopt != null;
  }

  String nameOf(int index) {
    return name.replace(INDEX, Integer.toString(index));
  }

  /** Fills in the placeholders of a path or URL for one node. */
  String placeOf(String template, int index) {
    return template.replace(INDEX, Integer.toString(index)).replace(NODE, nameOf(index));
  }

  /** Returns the static pod sources of one node; the template has been checked. */
  NodeSources sources(int index) {
    String path = placeOf(staticPodPath, index);
    String url = placeOf(staticPodUrl, index);
    return new NodeSources(
        nameOf(index),
        path.isEmpty() ? null : Path.of(path),
        url.isEmpty() ? null : URI.create(url));
  }
}
