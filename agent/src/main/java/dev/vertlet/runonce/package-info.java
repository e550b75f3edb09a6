/**
 * {@code vertlet agent --runonce}: runs the static pods of all nodes once, without a server, a
 * Lease or pods of an API server.
 *
 * <p>Runs on one event loop. Mirror pods are created where a kubeconfig is named and the node
 * exists; that they appear is not guaranteed.
 */
@NullMarked
package dev.vertlet.runonce;

import org.jspecify.annotations.NullMarked;
