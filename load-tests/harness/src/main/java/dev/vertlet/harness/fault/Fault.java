package dev.vertlet.harness.fault;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong, for which requests, how often.
 *
 * @param effect what goes wrong
 * @param on the requests it may happen to
 * @param probability of its happening to one of those, above 0, up to 1
 * @param times after how many of them it is over; {@link Long#MAX_VALUE}: until it is removed
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

  /** What happens to a request. */
  public sealed interface Effect {}

  /** It is passed on late, by that time. */
  public record Delay(Duration by) implements Effect {}

  /** It never reaches the API server; the answer is a {@code metav1.Status} of that code. */
  public record Answer(int code, @Nullable Duration retryAfter) implements Effect {
    public Answer {
      if (code < 400 || code > 599) {
        throw new IllegalArgumentException("code=" + code + ": must be an error, 400 to 599");
      }
    }
  }

  /** It never reaches the API server; the answer is 200 with a body that is no object. */
  public record Nonsense() implements Effect {}

  /** It never reaches the API server and is never answered. */
  public record Hang() implements Effect {}

  /** It never reaches the API server; its connection is cut. */
  public record Cut() implements Effect {}

  /**
   * The API server executes it, and its connection is cut in place of the answer: the worst case of
   * a retry.
   */
  public record LoseAnswer() implements Effect {}

  /** Passes requests on late. */
  public static Fault delay(Duration by) {
    return of(new Delay(by));
  }

  /** Answers with a {@code metav1.Status} in the API server's place. */
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

  /** Answers 200 with a line that no client can read, and ends the answer, a watch too. */
  public static Fault nonsense() {
    return of(new Nonsense());
  }

  /** Leaves requests without an answer. */
  public static Fault hang() {
    return of(new Hang());
  }

  /** Cuts the connections of requests before they are executed. */
  public static Fault cut() {
    return of(new Cut());
  }

  /** Cuts the connections of requests after they were executed. */
  public static Fault loseAnswer() {
    return of(new LoseAnswer());
  }

  private static Fault of(Effect effect) {
    return new Fault(effect, RequestMatcher.ALL, 1, Long.MAX_VALUE);
  }

  /** Only for these requests, see {@link RequestMatcher}. */
  public Fault on(String verb, String resource) {
    return new Fault(effect, new RequestMatcher(verb, resource), probability, times);
  }

  /** Only for this share of them. */
  public Fault withProbability(double share) {
    return new Fault(effect, on, share, times);
  }

  /** Only this many times. */
  public Fault times(long count) {
    return new Fault(effect, on, probability, count);
  }
}
