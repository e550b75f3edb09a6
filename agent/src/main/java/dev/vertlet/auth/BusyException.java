package dev.vertlet.auth;

import io.vertx.core.VertxException;

/**
 * A question that is not asked, since too many wait for the API server. Expected: no stack trace.
 */
final class BusyException extends VertxException {
  BusyException(String message) {
    super(message, null, true);
  }
}
