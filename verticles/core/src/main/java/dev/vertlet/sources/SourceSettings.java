package dev.vertlet.sources;

import java.util.List;
import java.util.function.Function;

/**
 * Configuration of the static pods of one shard. Settings of a node are read again after {@code
 * NodeConfigured}.
 *
 * @param names all nodes of the shard
 * @param sources of each node, including nodes without any
 * @param options of each node
 */
public record SourceSettings(
    List<String> names,
    Function<String, NodeSources> sources,
    Function<String, SourceOptions> options) {}
