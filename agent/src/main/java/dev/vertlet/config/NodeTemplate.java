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
 * One item of {@code nodes}: what {@code count} nodes have in common. Checked when it is expanded,
 * as most of it can only be judged beside the other templates.
 *
 * @param name with <code>{i}</code> for the index of the node
 * @param capacity as given, without the defaults
 * @param reserved as given
 * @param taints null for the default, which names the provider
 * @param addresses null for the host's
 * @param podCidrMask null for the default, which follows the pods the node may have
 * @param staticPodPath with <code>{node}</code> for the node's name and <code>{i}</code> for its
 *     index; empty for none
 * @param staticPodUrl the same
 * @param adopt label selector of the Node objects that are taken over; null for nodes that are made
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
  /** Replaced by the index of the node in its template. */
  static final String INDEX = "{i}";

  /** Replaced by the name of the node. */
  private static final String NODE = "{node}";

  /** Whether it makes no nodes but takes over those of others. */
  boolean adopts() {
    return adopt != null;
  }

  String nameOf(int index) {
    return name.replace(INDEX, Integer.toString(index));
  }

  /** A path or URL for one of the nodes. */
  String placeOf(String template, int index) {
    return template.replace(INDEX, Integer.toString(index)).replace(NODE, nameOf(index));
  }

  /** Where the static pods of one of the nodes come from; the template was checked. */
  NodeSources sources(int index) {
    String path = placeOf(staticPodPath, index);
    String url = placeOf(staticPodUrl, index);
    return new NodeSources(
        nameOf(index),
        path.isEmpty() ? null : Path.of(path),
        url.isEmpty() ? null : URI.create(url));
  }
}
