/**
 * Health and metrics over HTTP, for probes and Prometheus.
 *
 * <p>{@link dev.vertlet.server.HealthServer} is a verticle: it receives {@link
 * dev.vertlet.bus.NodeRegistered}, {@link dev.vertlet.bus.PodsSynced}, {@link
 * dev.vertlet.bus.LeaseAcquired} and {@link dev.vertlet.bus.LeaseLost}, sends nothing, and keeps
 * its state on its own context. Deploy it before the verticles whose messages it counts. The
 * handler of the status page is a parameter. A {@link dev.vertlet.server.ReadPolicy} controls
 * access to metrics and page: {@link dev.vertlet.server.ReaderAccess} unless they are open. Health
 * needs no authentication, but shows node names only to admitted clients. {@link
 * dev.vertlet.server.RequestGuard} wraps the handlers of every server of the agent. Not promised:
 * TLS.
 */
@NullMarked
package dev.vertlet.server;

import org.jspecify.annotations.NullMarked;
