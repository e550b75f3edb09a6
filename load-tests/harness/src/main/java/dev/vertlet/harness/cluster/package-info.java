/**
 * Finds or starts a real Kubernetes control plane for cluster tests and load tests.
 *
 * <p>Owns the processes it starts (etcd, API server, controller manager, scheduler), their data
 * directory, keys and certificates, and the cache of the binary built from {@code
 * load-tests/kubernetes}. It uses no event bus. Every method blocks and is for command-line and
 * test threads, never for an event loop. It signals only processes that it started, and none of
 * them outlives this JVM, however the JVM ends. Not promised: durability. etcd runs without fsync,
 * so data survives the death of a process but not of the machine.
 */
@NullMarked
package dev.vertlet.harness.cluster;

import org.jspecify.annotations.NullMarked;
