package dev.vertlet.apiserver.fault;

import dev.vertlet.apiserver.api.ApiException;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The sentence that scripts a fault: whom it hits, how often, and — the last word — what happens.
 * Immutable, so a common beginning can be reused. Without {@link #times} or {@link #lasting} a
 * fault stays until it is lifted.
 */
public final class FaultScript {
  private final Faults faults;
  private final Predicate<ApiRequest> matching;
  private final int count;
  private final int skips;
  private final long lastsNanos;

  FaultScript(
      Faults faults, Predicate<ApiRequest> matching, int count, int skips, long lastsNanos) {
    this.faults = faults;
    this.matching = matching;
    this.count = count;
    this.skips = skips;
    this.lastsNanos = lastsNanos;
  }

  Predicate<ApiRequest> matching() {
    return matching;
  }

  int count() {
    return count;
  }

  int skips() {
    return skips;
  }

  long lastsNanos() {
    return lastsNanos;
  }

  /** Only objects of this name. */
  public FaultScript named(String name) {
    return where(request -> request.name().equals(name));
  }

  /** Only in this namespace. */
  public FaultScript in(String namespace) {
    return where(request -> request.namespace().equals(namespace));
  }

  /** Only requests, or watches, that also match this. */
  public FaultScript where(Predicate<ApiRequest> also) {
    return new FaultScript(faults, matching.and(also), count, skips, lastsNanos);
  }

  /** Strikes this many times at most. */
  public FaultScript times(int times) {
    return new FaultScript(faults, matching, times, skips, lastsNanos);
  }

  /** Strikes once. */
  public FaultScript once() {
    return times(1);
  }

  /** Spares the first so many matches. */
  public FaultScript after(int spared) {
    return new FaultScript(faults, matching, count, spared, lastsNanos);
  }

  /** Strikes for so long from now on. */
  public FaultScript lasting(Duration duration) {
    return new FaultScript(faults, matching, count, skips, duration.toNanos());
  }

  /** Serves after a pause; other faults may strike as well. */
  public Fault delay(Duration pause) {
    return faults.add(this, new Action.Delay(pause));
  }

  /** Answers with a Status of this code and reason, such as {@code 500, "InternalError"}. */
  public Fault respond(int code, String reason) {
    return respond(new ApiException(code, reason, "scripted fault"));
  }

  /** Answers with exactly this failure. */
  public Fault respond(ApiException failure) {
    return faults.add(this, new Action.Answer(failure));
  }

  /** Answers {@code 429 TooManyRequests} with Retry-After, in whole seconds. */
  public Fault throttle(int retryAfterSeconds) {
    return respond(
        new ApiException(
                429,
                "TooManyRequests",
                "the server has received too many requests and has asked us to try again later")
            .withRetryAfter(retryAfterSeconds));
  }

  /** Answers {@code 409 Conflict} as to a write based on an outdated resourceVersion. */
  public Fault conflict() {
    return faults.add(this, new Action.Answer(Faults.CONFLICT));
  }

  /** Answers {@code 410 Expired}. */
  public Fault expire() {
    return respond(ApiException.expired("too old resource version: 1 (2)"));
  }

  /** Answers {@code 401 Unauthorized}. */
  public Fault unauthorized() {
    return respond(ApiException.unauthorized());
  }

  /** Answers {@code 403 Forbidden} with the words of RBAC, naming verb and resource. */
  public Fault forbid() {
    return faults.add(this, new Action.Answer(Faults.FORBIDDEN));
  }

  /** Closes the connection without serving. */
  public Fault cut() {
    return faults.add(this, new Action.Cut());
  }

  /** Resets the stream without serving; over HTTP/1.1 this closes the connection. */
  public Fault reset() {
    return faults.add(this, new Action.Reset());
  }

  /** Serves the request and closes the connection instead of answering. */
  public Fault loseAnswer() {
    return faults.add(this, new Action.LoseAnswer());
  }

  /** Never answers, keeps the connection open. */
  public Fault hang() {
    return faults.add(this, new Action.Hang());
  }

  /** Answers lists as of now, however much changes. */
  public Fault staleList() {
    return faults.add(this, new Action.StaleList());
  }

  /** On a watch: sends half of the next event, then closes the connection. */
  public Fault cutMidEvent() {
    return faults.add(this, new Action.CutMidEvent());
  }

  /** On a watch: sends a line that is not JSON in place of the next event. */
  public Fault malformedEvent() {
    return faults.add(this, new Action.Malformed());
  }

  /** On a watch: pads the next event to at least so many bytes. */
  public Fault oversizedEvent(int bytes) {
    return faults.add(this, new Action.Oversized(bytes));
  }

  /** On a watch: sends nothing any more while the fault lasts; the stream stays open. */
  public Fault silence() {
    return faults.add(this, new Action.Silence());
  }

  /** On a watch: leaves the next event out. */
  public Fault swallowEvent() {
    return faults.add(this, new Action.Swallow());
  }

  /**
   * On a watch: sends an ERROR event with {@code 410 Expired} in place of the next event and ends
   * the watch.
   */
  public Fault expireEvent() {
    return faults.add(
        this, new Action.ErrorEvent(ApiException.expired("too old resource version: 1 (2)")));
  }
}
