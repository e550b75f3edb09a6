/**
 * Reads traces of SimKube, version 2: a msgpack map of its configuration, objects by seconds, and
 * times of pods by owner. Blocks; the whole trace is in memory.
 */
@NullMarked
package dev.vertlet.trace.simkube;

import org.jspecify.annotations.NullMarked;
