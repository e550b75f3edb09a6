/**
 * What a replay shows beside its recording: figures, curves, a page and JSON, and several replays
 * side by side.
 *
 * <p>Owns no state; uses no event bus. Pure but for reading files. Not promised: an exact value
 * between two points of a curve.
 */
@NullMarked
package dev.vertlet.harness.replay.report;

import org.jspecify.annotations.NullMarked;
