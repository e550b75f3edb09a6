package dev.vertlet.harness.load;

/** How far a load has come. */
public record Counts(int nodesReady, int podsReady, int podsGone) {}
