package dev.vertlet.auth;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts authentications and the queries to the API server, under Kubernetes' metric names. No
 * label names a user, as the number of users is unbounded. Confined to the server's event loop.
 */
final class AuthMeters {
  private static final Metric ATTEMPTS =
      Metric.counter(
          "authentication_attempts_total",
          "requests",
          "by result. `success`: the sender is known, perhaps as anonymous; `failure`: it has no"
              + " credentials; `error`: they are invalid or could not be checked",
          "result");
  private static final Metric TOKENS =
      Metric.counter(
          "authentication_token_cache_request_total",
          "tokens",
          "looked up: `hit` needs no request to the API server, `miss` does",
          "status");
  private static final Metric AUTHENTICATED =
      Metric.counter(
          "apiserver_delegated_authn_request_total",
          "requests",
          "for a TokenReview sent, by HTTP code; `<error>` without an answer",
          "code");
  private static final Metric AUTHORIZED =
      Metric.counter(
          "apiserver_delegated_authz_request_total",
          "requests",
          "for a SubjectAccessReview sent, by HTTP code; `<error>` without an answer",
          "code");

  private final MeterRegistry registry;
  private final Map<Attempt, Counter> attempts = new EnumMap<>(Attempt.class);
  private final Map<Boolean, Counter> tokens = new HashMap<>();
  private final Map<Question, Counter> questions = new HashMap<>();

  AuthMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Result of an authentication. */
  enum Attempt {
    /** The user is known or anonymous. */
    SUCCESS,
    /** The request has no credentials. */
    FAILURE,
    /** The credentials are invalid or could not be checked. */
    ERROR
  }

  /** Labels of a query; the API server has a few dozen status codes. */
  private record Question(boolean token, String code) {}

  void attempt(Attempt attempt) {
    attempts.computeIfAbsent(attempt, this::counter).increment();
  }

  private Counter counter(Attempt attempt) {
    return ATTEMPTS.counter(registry, attempt.name().toLowerCase(Locale.ROOT));
  }

  /**
   * Counts a token look-up.
   *
   * @param known whether the answer was cached
   */
  void token(boolean known) {
    tokens.computeIfAbsent(known, this::tokenCounter).increment();
  }

  private Counter tokenCounter(boolean known) {
    return TOKENS.counter(registry, known ? "hit" : "miss");
  }

  /**
   * Counts one query to the API server.
   *
   * @param failure null for an answer
   */
  void asked(KubePath path, @Nullable Throwable failure) {
    boolean token = path.resource().equals("tokenreviews");
    questions
        .computeIfAbsent(new Question(token, code(failure)), this::questionCounter)
        .increment();
  }

  private Counter questionCounter(Question question) {
    return (question.token ? AUTHENTICATED : AUTHORIZED).counter(registry, question.code);
  }

  /** Returns the status code as client-go counts it: {@code <error>} without an answer. */
  private static String code(@Nullable Throwable failure) {
    if (failure == null) {
      return "201";
    }
    int status = failure instanceof KubeException e ? e.status() : 0;
    return status == 0 ? "<error>" : Integer.toString(status);
  }
}
