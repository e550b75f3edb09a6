package dev.vertlet.streaming;

import io.vertx.core.VertxException;

/** The client left before it had sent everything. */
final class ClientGone extends VertxException {
  ClientGone() {
    super("the client has gone", true);
  }
}
