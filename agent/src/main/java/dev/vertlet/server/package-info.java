/**
 * Health and metrics over HTTP for people, probes and Prometheus.
 *
 * <p>{@link dev.vertlet.server.HealthServer} is a verticle: it takes {@link
 * dev.vertlet.bus.NodeRegistered}, {@link dev.vertlet.bus.PodsSynced}, {@link
 * dev.vertlet.bus.LeaseAcquired} and {@link dev.vertlet.bus.LeaseLost}, sends nothing, and keeps
 * its state on its own context. It must be deployed before the verticles whose messages it counts.
 * What serves the page for people is given to it. A {@link dev.vertlet.server.Door} decides who may
 * see metrics and page, {@link dev.vertlet.server.ReaderAccess} unless they are open; health is
 * open to everybody, and names nodes only to those. {@link dev.vertlet.server.RequestGuard} stands
 * before the handlers of every server of the agent. Not promised: TLS.
 */
@NullMarked
package dev.vertlet.server;

import org.jspecify.annotations.NullMarked;
