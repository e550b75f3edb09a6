package dev.vertlet.harness.fault;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Fault to inject.
 *
 * @param effect effect on a request
 * @param on requests that it applies to
 * @param probability probability for each of those requests, above 0, up to 1
 * @param times number of requests after which it ends; {@link Long#MAX_VALUE} for until it is
 *     removed
 */
public record Fault(Effect effect, RequestMatcher on, double probability, long times) {

  public Fault {
    if (!(probability > 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "probability=" + probability + ": must be above 0 and at most 1");
    }
    if (times < 1) {
      throw new IllegalArgumentException("times=" + times + ": must be at least 1");
    }
  }

  /** Effect on a request. */
  public sealed interface Effect {}

  /** Forwards the request after a delay. */
  public record Delay(Duration by) implements Effect {}

  /** Answers with a {@code metav1.Status} of this code instead of the API server. */
  public record Answer(int code, @Nullable Duration retryAfter) implements Effect {
    public Answer {
      if (code < 400 || code > 599) {
        throw new IllegalArgumentException("code=" + code + ": must be an error, 400 to 599");
      }
    }
  }

  /** Answers 200 with a body that is no object; the API server never receives the request. */
  public record Nonsense() implements Effect {}

  /** Never answers; the API server never receives the request. */
  public record Hang() implements Effect {}

  /** Cuts the request's connection; the API server never receives the request. */
  public record Cut() implements Effect {}

  /**
   * Lets the API server execute the request and cuts the connection instead of answering: the worst
   * case of a retry.
   */
  public record LoseAnswer() implements Effect {}

  /** Delays requests. */
  public static Fault delay(Duration by) {
    return of(new Delay(by));
  }

  /** Answers with a {@code metav1.Status} instead of the API server. */
  public static Fault answer(int code) {
    return of(new Answer(code, null));
  }

  /**
   * Answers 429 with a Retry-After header.
   *
   * @param retryAfter sent in whole seconds, rounded up
   */
  public static Fault tooManyRequests(Duration retryAfter) {
    return of(new Answer(429, retryAfter));
  }

  /** Answers 200 with a line that no client can parse and ends the answer, also of a watch. */
  public static Fault nonsense() {
    return of(new Nonsense());
  }

  /** Leaves requests unanswered. */
  public static Fault hang() {
    return of(new Hang());
  }

  /** Cuts the connections of requests before the API server executes them. */
  public static Fault cut() {
    return of(new Cut());
  }

  /** Cuts the connections of requests after the API server has executed them. */
  public static Fault loseAnswer() {
    return of(new LoseAnswer());
  }

  private static Fault of(Effect effect) {
    return new Fault(effect, RequestMatcher.ALL, 1, Long.MAX_VALUE);
  }

  /** Limits the fault to some requests, see {@link RequestMatcher}. */
  public Fault on(String verb, String resource) {
    return new Fault(effect, new RequestMatcher(verb, resource), probability, times);
  }

  /** Limits the fault to a share of the requests. */
  public Fault withProbability(double share) {
    return new Fault(effect, on, share, times);
  }

  /** Limits the number of times that the fault happens. */
  public Fault times(long count) {
    return new Fault(effect, on, probability, count);
  }
}
