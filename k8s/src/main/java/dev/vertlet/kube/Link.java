package dev.vertlet.kube;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;

/** A way to the API server for one kind of traffic. Used on the client's context alone. */
interface Link {
  /** Connects when needed; fails when that fails, with the cause as Vert.x gave it. */
  Future<HttpClientRequest> open(RequestOptions options);

  /** How many requests may be open at once. */
  int capacity();

  /** New requests get a new connection; those under way end on the old one. */
  void renew();

  Future<Void> close();
}
