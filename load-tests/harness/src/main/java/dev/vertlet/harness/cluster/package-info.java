/**
 * Finds or starts a real Kubernetes control plane for cluster tests and load tests.
 *
 * <p>Owns the processes it starts (etcd, API server, controller manager, scheduler), their data
 * directory, keys and certificates, and the cache of the binary built from {@code
 * load-tests/kubernetes}. It takes and sends no messages. Everything blocks and is for command-line
 * and test threads, never for an event loop. Only processes it started are ever signalled, and none
 * of them outlives this JVM, however that ends. It does not promise durability: etcd runs without
 * fsync, so what was written survives the death of a process but not of the machine.
 */
@NullMarked
package dev.vertlet.harness.cluster;

import org.jspecify.annotations.NullMarked;
