package dev.vertlet.agent;

import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.provider.pod.PodProvider;
import java.util.List;
import java.util.function.Predicate;

/**
 * One shard of an agent's nodes.
 *
 * @param index of the shard in {@link dev.vertlet.bus.Shards}
 * @param loop runs the shard's verticles and its provider
 * @param nodes configured nodes; adopted ones come and go
 * @param abandoned nodes of which the shard ends what is left
 */
record Shard(
    int index,
    EventLoop loop,
    List<ConfiguredNode> nodes,
    PodProvider provider,
    Predicate<String> abandoned) {
  /** Names of the configured nodes. */
  List<String> names() {
    return nodes.stream().map(node -> node.spec().name()).toList();
  }
}
