package dev.vertlet.nodes;

import dev.vertlet.provider.node.NodeSpec;
import java.util.List;
import java.util.function.Function;

/**
 * Configuration of the nodes of one shard. Settings of a node are read again after {@code
 * NodeConfigured}.
 *
 * @param names the nodes
 * @param specs configuration of each node
 * @param options of each node, with the same identity for all
 * @param features that a node declares in addition to those of its endpoint
 */
public record NodeSettings(
    List<String> names,
    Function<String, NodeSpec> specs,
    Function<String, NodeOptions> options,
    Function<String, List<String>> features) {}
