/**
 * {@code vertlet agent --runonce}: runs the static pods of all nodes once, without a server, a
 * Lease or pods of an API server.
 *
 * <p>Runs on one event loop. Creates mirror pods if a kubeconfig is named and the node exists. Not
 * guaranteed: that they appear.
 */
@NullMarked
package dev.vertlet.runonce;

import org.jspecify.annotations.NullMarked;
