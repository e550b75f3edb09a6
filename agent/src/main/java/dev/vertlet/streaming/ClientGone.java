package dev.vertlet.streaming;

import io.vertx.core.VertxException;

/** The client has left before it had sent all. */
final class ClientGone extends VertxException {
  ClientGone() {
    super("the client has gone", true);
  }
}
