package dev.vertlet.harness.replay.report;

/**
 * Amount of resources: what a pod requests, or what a node offers to pods.
 *
 * @param cpu cores
 * @param memory bytes
 */
public record Demand(double cpu, double memory) {
  public static final Demand NONE = new Demand(0, 0);

  /** Returns the sum of both. */
  public Demand plus(Demand other) {
    return new Demand(cpu + other.cpu, memory + other.memory);
  }
}
