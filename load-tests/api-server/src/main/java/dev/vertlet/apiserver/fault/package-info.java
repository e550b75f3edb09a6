/**
 * Scripted misbehaviour and the record of what clients asked for: the two things a test holds in
 * its hands.
 *
 * <p>Rules and the log are shared between test threads, which script and read, and the server's
 * event loop, which matches and appends; each class says how. No messages. Rules act in the order
 * they were scripted; a rule that is used up is skipped, not removed. The package {@code admin}
 * scripts the same rules over HTTP.
 */
@NullMarked
package dev.vertlet.apiserver.fault;

import org.jspecify.annotations.NullMarked;
