package dev.vertlet.registry;

import io.vertx.core.VertxException;

/**
 * A registry did not answer a request successfully. Contains its status and the request, never a
 * token.
 */
final class RegistryException extends VertxException {
  private static final long serialVersionUID = 1L;

  RegistryException(String message) {
    super(message, true);
  }
}
