/**
 * All traffic with the API server: requests in priority lanes, watches, credentials, TLS, retry
 * decisions and their metrics.
 *
 * <p>{@link dev.vertlet.kube.KubeClient} is confined to one event loop; callers on other contexts
 * get their Futures completed on their own context. {@link dev.vertlet.kube.Reflector} runs on the
 * client's loop and calls its listener on the context that started it. Nothing here uses the event
 * bus, and nothing outside this package opens a connection to an API server.
 *
 * <p>Decisions are pure and apart from the I/O: {@code ReflectorCore} and {@code ReflectorIndex},
 * {@code LaneQueue}, {@code Outage}, {@code Backoff}, {@code Failures}. What blocks (files, exec
 * plugins, TLS libraries) runs on workers.
 *
 * <p>Not promised: order between requests; retries, but for the one with fresh credentials after a
 * 401; every intermediate state of a watched object.
 */
@NullMarked
package dev.vertlet.kube;

import org.jspecify.annotations.NullMarked;
