/**
 * Health and metrics over HTTP for people, probes and Prometheus.
 *
 * <p>{@link dev.vertlet.server.HealthServer} is a verticle: it takes {@link
 * dev.vertlet.bus.NodeRegistered}, {@link dev.vertlet.bus.PodsSynced}, {@link
 * dev.vertlet.bus.LeaseAcquired} and {@link dev.vertlet.bus.LeaseLost}, sends nothing, and keeps
 * its state on its own context. It must be deployed before the verticles whose messages it counts.
 * Not promised: authentication or TLS; what is served here names nodes and numbers, no pods.
 */
@NullMarked
package dev.vertlet.server;

import org.jspecify.annotations.NullMarked;
