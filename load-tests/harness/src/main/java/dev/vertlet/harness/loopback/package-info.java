/**
 * What servers on this machine's loopback interface need: kubeconfigs for their clients and ports
 * that stay free.
 *
 * <p>Owns nothing but the set of ports handed out in this JVM; takes and sends no messages.
 * Everything here blocks and may be called from any thread except an event loop. It does not
 * promise secrecy: keys are for servers that live as long as a test or a load test, and are written
 * to disk as they are.
 */
@NullMarked
package dev.vertlet.harness.loopback;

import org.jspecify.annotations.NullMarked;
