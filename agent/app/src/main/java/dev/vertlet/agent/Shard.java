package dev.vertlet.agent;

import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.provider.pod.PodProvider;
import java.util.List;

/**
 * One shard of an agent's nodes.
 *
 * @param index of the shard in {@link dev.vertlet.bus.Shards}
 * @param loop runs the shard's verticles and its provider
 * @param nodes configured nodes; adopted ones come and go
 */
record Shard(int index, EventLoop loop, List<ConfiguredNode> nodes, PodProvider provider) {
  /** Names of the configured nodes. */
  List<String> names() {
    return nodes.stream().map(node -> node.spec().name()).toList();
  }
}
