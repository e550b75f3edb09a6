package dev.vertlet.harness.scenario;

/**
 * Range of a figure that a run must meet to pass.
 *
 * @param figure path in the result's JSON, for example {@code phases.up.create.p99_ms}
 * @param min minimum; negative infinity for none
 * @param max maximum; infinity for none
 */
public record Threshold(String figure, double min, double max) {}
