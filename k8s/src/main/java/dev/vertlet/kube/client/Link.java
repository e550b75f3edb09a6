package dev.vertlet.kube.client;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;

/**
 * Connection, or pool of connections, to the API server for one kind of traffic. Used on the
 * client's context only.
 */
interface Link {
  /**
   * Opens a request, connecting if necessary; fails with Vert.x' cause when the connection fails.
   */
  Future<HttpClientRequest> open(RequestOptions options);

  /** Number of requests that may be open at once. */
  int capacity();

  /** Directs new requests to a new connection; running requests end on the old one. */
  void renew();

  Future<Void> close();
}
