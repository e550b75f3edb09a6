/**
 * The client of one API server. {@link dev.vertlet.kube.client.KubeClient} is confined to one event
 * loop: it queues requests in priority lanes, keeps the window of each connection, and reports
 * metrics. Callers on other contexts get their Futures completed on their own context.
 */
@NullMarked
package dev.vertlet.kube.client;

import org.jspecify.annotations.NullMarked;
