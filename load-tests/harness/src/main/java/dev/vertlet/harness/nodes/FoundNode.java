package dev.vertlet.harness.nodes;

/**
 * A node of the cluster that this command has made at some time.
 *
 * @param uid tells it from another of the same name
 */
public record FoundNode(String name, String uid) {}
