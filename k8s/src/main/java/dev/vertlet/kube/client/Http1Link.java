package dev.vertlet.kube.client;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.RequestOptions;

/** HTTP/1.1: a pool of connections with one request each. */
final class Http1Link implements Link {
  private final HttpClientAgent agent;
  private final int connections;

  /**
   * Wraps an agent.
   *
   * @param connections size of the agent's pool
   */
  Http1Link(HttpClientAgent agent, int connections) {
    this.agent = agent;
    this.connections = connections;
  }

  @Override
  public Future<HttpClientRequest> open(RequestOptions options) {
    try {
      return agent.request(options);
    } catch (IllegalStateException closed) { // Vert.x throws it instead of failing the Future
      return Future.failedFuture(closed);
    }
  }

  @Override
  public int capacity() {
    return connections;
  }

  /**
   * Does nothing: idle connections expire by themselves, and certificates are part of the pool's
   * key.
   */
  @Override
  public void renew() {}

  @Override
  public Future<Void> close() {
    return agent.close();
  }
}
