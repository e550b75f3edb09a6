/**
 * What a load test does, as a scenario file tells it. Pure: no Vert.x, no clock; chance comes from
 * the scenario's seed.
 */
@NullMarked
package dev.vertlet.harness.scenario;

import org.jspecify.annotations.NullMarked;
