package dev.vertlet.process;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;

/** Failures of calls in the form of the SPI. */
final class ProviderExceptions {
  private ProviderExceptions() {}

  /** A failure that may pass: the agent tries again with back-off. */
  static <T> Future<T> temporary(String reason, String message) {
    return Future.failedFuture(new ProviderException(Kind.TEMPORARY, reason, message));
  }

  static <T> Future<T> notRunning(String container) {
    return Future.failedFuture(
        new ProviderException(
            Kind.NOT_FOUND, "ContainerNotRunning", "container " + container + " does not run"));
  }
}
