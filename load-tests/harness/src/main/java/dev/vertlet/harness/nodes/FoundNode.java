package dev.vertlet.harness.nodes;

/**
 * Node of the cluster that {@code vertlet nodes} created.
 *
 * @param uid distinguishes it from another node of the same name
 */
public record FoundNode(String name, String uid) {}
