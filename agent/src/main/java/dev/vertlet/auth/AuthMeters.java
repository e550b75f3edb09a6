package dev.vertlet.auth;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Counts how users are known and how often the API server is asked about them, under Kubernetes'
 * names. No label says who: there is no end of users.
 */
final class AuthMeters {
  private final MeterRegistry registry;

  AuthMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** How the sender of a request was told. */
  enum Attempt {
    /** It is somebody, perhaps anonymous. */
    SUCCESS,
    /** It has no credentials. */
    FAILURE,
    /** Its credentials are bad, or could not be checked. */
    ERROR
  }

  void attempt(Attempt attempt) {
    Counter.builder("authentication.attempts")
        .description("Requests to the kubelets' API by whether their sender was told")
        .tag("result", attempt.name().toLowerCase(java.util.Locale.ROOT))
        .register(registry)
        .increment();
  }

  /**
   * @param known whether the API server did not have to be asked
   */
  void token(boolean known) {
    Counter.builder("authentication.token.cache.request")
        .description("Tokens looked up; hit: what the API server said of it was known")
        .tag("status", known ? "hit" : "miss")
        .register(registry)
        .increment();
  }

  /**
   * The API server was asked once.
   *
   * @param failure null when it answered
   */
  void asked(KubePath path, @Nullable Throwable failure) {
    String about = path.resource().equals("tokenreviews") ? "authn" : "authz";
    Counter.builder("apiserver.delegated." + about + ".request")
        .description("Questions to the API server about users of the kubelets' API, by HTTP code")
        .tag("code", code(failure))
        .register(registry)
        .increment();
  }

  /** As client-go counts: {@code <error>} without an answer. */
  private static String code(@Nullable Throwable failure) {
    if (failure == null) {
      return "201";
    }
    int status = failure instanceof KubeException e ? e.status() : 0;
    return status == 0 ? "<error>" : Integer.toString(status);
  }
}
