/**
 * Client of the API server: requests in priority lanes, watches, credentials, TLS, retry decisions
 * and their metrics.
 *
 * <p>{@link dev.vertlet.kube.client.KubeClient} is confined to one event loop; callers on other
 * contexts get their Futures completed on their own context. {@link
 * dev.vertlet.kube.watch.Reflector} runs on the client's loop and calls its listener on the context
 * that started it. This package does not use the event bus, and no other package opens a connection
 * to an API server.
 *
 * <p>Decisions are pure and separate from I/O: {@code ReflectorCore} and {@code ReflectorIndex},
 * {@code LaneQueue}, {@code Outage}, {@code Backoff}, {@code Failures}. Blocking calls (files, exec
 * plugins, TLS libraries) run on workers.
 *
 * <p>Not promised: order between requests; retries, except the one with fresh credentials after a
 * 401; every intermediate state of a watched object.
 *
 * <p>Here is the vocabulary of requests and failures; {@link dev.vertlet.kube.access} is below the
 * {@linkplain dev.vertlet.kube.client client}, {@link dev.vertlet.kube.watch} above it.
 */
@NullMarked
package dev.vertlet.kube;

import org.jspecify.annotations.NullMarked;
