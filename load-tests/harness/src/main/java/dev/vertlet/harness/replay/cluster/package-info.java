/**
 * A replay's work in its cluster: checks before the first change, steps, what is seen of pods and
 * nodes, removal.
 *
 * <p>All state belongs to the event loop of {@link
 * dev.vertlet.harness.replay.cluster.ReplayVerticle}. Uses no event bus. Not promised: that objects
 * of other programs stay away from the replay's nodes if they tolerate every taint.
 */
@NullMarked
package dev.vertlet.harness.replay.cluster;

import org.jspecify.annotations.NullMarked;
