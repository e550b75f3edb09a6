/**
 * How replayed pods live: each as its recorded sibling lived, on simulated containers.
 *
 * <p>Owns which pod has which recorded life. Called on the event loops of the agent's shards. Not
 * promised: waits of Kubernetes' own, such as the back-off of a Job's controller, are as long as
 * ever at any speed.
 */
@NullMarked
package dev.vertlet.harness.replay.life;

import org.jspecify.annotations.NullMarked;
