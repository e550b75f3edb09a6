/**
 * Support for servers on this machine's loopback interface: kubeconfigs for their clients and ports
 * that stay free.
 *
 * <p>Owns only the set of ports given out in this JVM; uses no event bus. Every method blocks and
 * may be called from any thread except an event loop. Not promised: secrecy. Keys are for servers
 * that live as long as a test or a load test, and are written to disk unencrypted.
 */
@NullMarked
package dev.vertlet.harness.loopback;

import org.jspecify.annotations.NullMarked;
