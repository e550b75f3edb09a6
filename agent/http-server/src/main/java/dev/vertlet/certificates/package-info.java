/**
 * Makes keys and certificates: of the agent's servers, and of the servers, clients and authorities
 * in tests.
 *
 * <p>Owns nothing; takes and sends no messages. Making a key and signing block, for some
 * milliseconds on an elliptic curve and for some hundred with RSA; both may be called from any
 * thread except an event loop. Not promised: secrecy of keys that callers write to disk.
 */
@NullMarked
package dev.vertlet.certificates;

import org.jspecify.annotations.NullMarked;
