/**
 * Adoption of Node objects that other clients create: an agent serves those that match one of its
 * label selectors.
 *
 * <p>{@code AdoptVerticle} watches the Nodes of each selector; {@code Adoptions} decides. The
 * package sends no other requests and writes nothing. It publishes {@code NodeAdopted} and {@code
 * NodeReleased} when a node appears and disappears, {@code NodeObserved} for each change of its
 * object, {@code NodeConfigured} if the change affects its configuration, and {@code NodesListed}
 * once the existing nodes have been published. A node that is deleted and created again under its
 * name is released and adopted. Runs on the context it is deployed on, which is that of the leases
 * and of the pod watch.
 *
 * <p>Not promised: a distinction between a deleted node and one that is no longer selected. Both
 * are released.
 */
@NullMarked
package dev.vertlet.adopt;

import org.jspecify.annotations.NullMarked;
