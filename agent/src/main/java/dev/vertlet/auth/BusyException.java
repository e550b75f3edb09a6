package dev.vertlet.auth;

import io.vertx.core.VertxException;

/**
 * Too many queries are waiting for the API server. It is an expected outcome and has no stack
 * trace.
 */
final class BusyException extends VertxException {
  BusyException(String message) {
    super(message, null, true);
  }
}
