/**
 * Kubeconfigs for clients of servers on this machine's loopback interface.
 *
 * <p>Owns no state; uses no event bus. Every method blocks and may be called from any thread except
 * an event loop. Not promised: secrecy. Keys are for servers that live as long as a test or a load
 * test, and are written to disk unencrypted.
 */
@NullMarked
package dev.vertlet.harness.loopback;

import org.jspecify.annotations.NullMarked;
