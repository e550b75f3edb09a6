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
 * Counts how users are known and how often the API server is asked about them, under Kubernetes'
 * names. No label says who: there is no end of users. Confined to the server's event loop.
 */
final class AuthMeters {
  private static final Metric ATTEMPTS =
      Metric.counter(
          "authentication_attempts_total",
          "requests",
          "by whether their sender was told. `success`: it is known, perhaps as anonymous;"
              + " `failure`: it has no credentials; `error`: they are bad or could not be checked",
          "result");
  private static final Metric TOKENS =
      Metric.counter(
          "authentication_token_cache_request_total",
          "tokens",
          "looked up: `hit` needs no question to the API server, `miss` does",
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

  /** How the sender of a request was told. */
  enum Attempt {
    /** It is somebody, perhaps anonymous. */
    SUCCESS,
    /** It has no credentials. */
    FAILURE,
    /** Its credentials are bad, or could not be checked. */
    ERROR
  }

  /** The API server has some dozen codes. */
  private record Question(boolean token, String code) {}

  void attempt(Attempt attempt) {
    attempts.computeIfAbsent(attempt, this::counter).increment();
  }

  private Counter counter(Attempt attempt) {
    return ATTEMPTS.counter(registry, attempt.name().toLowerCase(Locale.ROOT));
  }

  /**
   * @param known whether the API server did not have to be asked
   */
  void token(boolean known) {
    tokens.computeIfAbsent(known, this::tokenCounter).increment();
  }

  private Counter tokenCounter(boolean known) {
    return TOKENS.counter(registry, known ? "hit" : "miss");
  }

  /**
   * The API server was asked once.
   *
   * @param failure null when it answered
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

  /** As client-go counts: {@code <error>} without an answer. */
  private static String code(@Nullable Throwable failure) {
    if (failure == null) {
      return "201";
    }
    int status = failure instanceof KubeException e ? e.status() : 0;
    return status == 0 ? "<error>" : Integer.toString(status);
  }
}
