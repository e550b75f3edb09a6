/**
 * What a load test does, as a scenario file tells it, and whether what it came to is good enough.
 * {@link dev.vertlet.harness.scenario.ScenarioReader} reads files; the rest is pure: no Vert.x, no
 * clock, and chance comes from the scenario's seed.
 */
@NullMarked
package dev.vertlet.harness.scenario;

import org.jspecify.annotations.NullMarked;
