package dev.vertlet.host.provider;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;

/** Failures of calls, each with a kubelet's reason. */
public final class ProviderFailures {
  private ProviderFailures() {}

  /**
   * A failure that may pass: the agent tries again with back-off.
   *
   * @param reason a CamelCase word for statuses and events
   */
  public static <T> Future<T> temporary(String reason, String message) {
    return Future.failedFuture(new ProviderException(Kind.TEMPORARY, reason, message));
  }

  /** A call needs a container that runs. */
  public static <T> Future<T> notRunning(String container) {
    return notFound("ContainerNotRunning", "container " + container + " does not run");
  }

  /** A client asks for a container or pod that is not there. */
  public static <T> Future<T> noContainer(String message) {
    return notFound("ContainerNotFound", message);
  }

  private static <T> Future<T> notFound(String reason, String message) {
    return Future.failedFuture(new ProviderException(Kind.NOT_FOUND, reason, message));
  }
}
