/**
 * Scenarios of load tests, from a file, and the thresholds for their results. {@link
 * dev.vertlet.harness.scenario.ScenarioReader} reads files; the rest is pure: no Vert.x, no clock,
 * and randomness comes from the scenario's seed.
 */
@NullMarked
package dev.vertlet.harness.scenario;

import org.jspecify.annotations.NullMarked;
