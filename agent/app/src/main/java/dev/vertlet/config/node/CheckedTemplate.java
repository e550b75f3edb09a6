package dev.vertlet.config.node;

import dev.vertlet.events.EventLimit;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.problem.Problems;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.sources.NodeSources;
import java.util.Map;

/**
 * A node template with the options that all its nodes share.
 *
 * @param index in {@code nodes}
 * @param resources capacity and allocatable that the template configures
 */
record CheckedTemplate(
    int index,
    NodeTemplate template,
    NodeResources resources,
    Reserved reserved,
    EvictionOptions eviction,
    ImageGcOptions imageGc,
    ApiLimit api,
    EventLimit events) {
  /**
   * Reads a template; of use only where it adds no problems.
   *
   * @param problems whose place is the template's
   */
  static CheckedTemplate of(
      int index, NodeTemplate template, Map<String, String> usualCapacity, Problems problems) {
    return new CheckedTemplate(
        index,
        template,
        NodeResources.of(template, usualCapacity, problems),
        template.reserved(),
        new EvictionReader(template, problems).options(),
        template.imageGc(problems),
        new ApiLimit(template.kubeAPIQPS(), template.kubeAPIBurst()),
        new EventLimit(template.eventRecordQPS(), template.eventBurst()));
  }

  ConfiguredNode node(NodeSpec spec, NodeSources sources) {
    return new ConfiguredNode(
        spec, index, template.provider(), reserved, eviction, imageGc, api, events, sources);
  }
}
