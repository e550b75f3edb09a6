package dev.vertlet.harness.scenario;

/**
 * What a figure of the result has to be for a run to pass.
 *
 * @param figure path in the result's JSON, for example {@code phases.up.create.p99_ms}
 * @param min at least; negative infinity for anything
 * @param max at most; infinity for anything
 */
public record Threshold(String figure, double min, double max) {}
