package dev.vertlet.auth;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
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
  private record Question(String about, String code) {}

  void attempt(Attempt attempt) {
    attempts.computeIfAbsent(attempt, this::counter).increment();
  }

  private Counter counter(Attempt attempt) {
    return Counter.builder("authentication.attempts")
        .description("Requests to the kubelets' API by whether their sender was told")
        .tag("result", attempt.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  /**
   * @param known whether the API server did not have to be asked
   */
  void token(boolean known) {
    tokens.computeIfAbsent(known, this::tokenCounter).increment();
  }

  private Counter tokenCounter(boolean known) {
    return Counter.builder("authentication.token.cache.request")
        .description("Tokens looked up; hit: what the API server said of it was known")
        .tag("status", known ? "hit" : "miss")
        .register(registry);
  }

  /**
   * The API server was asked once.
   *
   * @param failure null when it answered
   */
  void asked(KubePath path, @Nullable Throwable failure) {
    String about = path.resource().equals("tokenreviews") ? "authn" : "authz";
    questions
        .computeIfAbsent(new Question(about, code(failure)), this::questionCounter)
        .increment();
  }

  private Counter questionCounter(Question question) {
    return Counter.builder("apiserver.delegated." + question.about + ".request")
        .description("Questions to the API server about users of the kubelets' API, by HTTP code")
        .tag("code", question.code)
        .register(registry);
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
