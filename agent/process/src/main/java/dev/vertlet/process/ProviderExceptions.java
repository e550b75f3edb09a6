package dev.vertlet.process;

import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import io.vertx.core.Future;

/** Answers for kinds of probes and hooks that are unknown. */
final class ProviderExceptions {
  private ProviderExceptions() {}

  static <T> Future<T> unsupported(String what) {
    return Future.failedFuture(
        new ProviderException(
            Kind.UNSUPPORTED, "HandlerUnsupported", "missing " + what + " handler"));
  }
}
