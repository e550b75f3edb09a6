/**
 * From a recording to what a replay does and when. Pure, but for reading the file; uses no event
 * bus and no clock.
 *
 * <p>Not promised: a replay of what the recording does not say, such as the order of changes within
 * one millisecond.
 */
@NullMarked
package dev.vertlet.harness.replay.plan;

import org.jspecify.annotations.NullMarked;
