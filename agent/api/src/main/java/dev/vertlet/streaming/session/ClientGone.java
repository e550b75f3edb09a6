package dev.vertlet.streaming.session;

import io.vertx.core.VertxException;

/** The client left before it had sent everything. */
public final class ClientGone extends VertxException {
  public ClientGone() {
    super("the client has gone", true);
  }
}
