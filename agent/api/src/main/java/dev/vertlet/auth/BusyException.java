package dev.vertlet.auth;

import io.vertx.core.VertxException;

/** Too many queries wait for the API server. Expected, hence without a stack trace. */
final class BusyException extends VertxException {
  BusyException(String message) {
    super(message, null, true);
  }
}
