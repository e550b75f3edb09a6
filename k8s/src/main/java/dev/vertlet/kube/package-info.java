/**
 * All traffic with the API server: requests in priority lanes, watches, credentials, TLS, retry
 * decisions and their metrics.
 *
 * <p>A {@link dev.vertlet.kube.KubeClient} is confined to one event loop; callers on other contexts
 * get their Futures completed on their own context. Nothing outside this package opens a connection
 * to an API server.
 */
@NullMarked
package dev.vertlet.kube;

import org.jspecify.annotations.NullMarked;
