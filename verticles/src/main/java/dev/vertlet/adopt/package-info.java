/**
 * Which Node objects of others this agent serves: those that one of its label selectors selects.
 *
 * <p>{@code AdoptVerticle} follows the Nodes of each selector with one watch; {@code Adoptions}
 * decides. Sends no request but those of the watches, and writes nothing. Publishes {@code
 * NodeAdopted} and {@code NodeReleased} for a node that comes and goes, {@code NodeObserved} for
 * each change of its object, {@code NodeConfigured} when that makes it another node than it was,
 * and {@code NodesListed} once all that were there are told. A node that is deleted and made anew
 * under its name is released and adopted. Runs on the context it is deployed on, which is that of
 * the leases and of the pod watch. Does not promise to tell a node that was deleted from one that
 * is selected no longer: to whoever serves it both are the same.
 */
@NullMarked
package dev.vertlet.adopt;

import org.jspecify.annotations.NullMarked;
