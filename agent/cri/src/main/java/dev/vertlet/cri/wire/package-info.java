/**
 * The Container Runtime Interface (CRI) v1 on the wire: gRPC over HTTP/2 on a Unix domain socket,
 * and the protocol's messages.
 *
 * <p>Everything belongs to the event loop from which a call is made: its answer arrives there. Each
 * call ends: with an answer, with the runtime's status, or at its deadline. Not promised: that a
 * call whose connection was lost had no effect.
 */
@NullMarked
package dev.vertlet.cri.wire;

import org.jspecify.annotations.NullMarked;
