package dev.vertlet.remote.client;

import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.VertxException;

/** An answer that is no success. Its cause says what the SPI makes of it. */
final class BackendException extends VertxException {
  private static final long serialVersionUID = 1L;

  private final int status;

  BackendException(int status, ProviderException cause) {
    super(cause.getMessage(), cause, true);
    this.status = status;
  }

  /** HTTP status of the failure's answer, 0 for a failure without an answer. */
  static int status(Throwable failure) {
    return failure instanceof BackendException known ? known.status : 0;
  }
}
