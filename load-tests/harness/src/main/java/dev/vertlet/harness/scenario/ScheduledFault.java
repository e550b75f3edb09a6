package dev.vertlet.harness.scenario;

import java.time.Duration;

/**
 * Fault during a run.
 *
 * @param at time after the start of the first phase
 * @param every interval of repetitions; zero for none
 */
public record ScheduledFault(Duration at, Duration every, Kind kind) {
  /** Kind of a fault. All but restarts are injected by a proxy in front of the API server. */
  public sealed interface Kind {}

  /** Delays requests. */
  public record Latency(Duration by, String verb, String resource, double share, Duration lasting)
      implements Kind {}

  /** Answers requests with an error in place of the API server; 429 with Retry-After. */
  public record Errors(
      int code, Duration retryAfter, String verb, String resource, double share, Duration lasting)
      implements Kind {}

  /** Cuts connections with watches. */
  public record CutWatches() implements Kind {}

  /** Cuts all connections and refuses new ones for a time. */
  public record Refuse(Duration lasting) implements Kind {}

  /** Holds back every byte for a time. */
  public record Freeze(Duration lasting) implements Kind {}

  /** Kills the API server and starts it again; only for a local control plane. */
  public record RestartApiServer(Duration down) implements Kind {}

  /** Kills or stops the subject and starts it again. */
  public record RestartSubject(Duration down, boolean orderly) implements Kind {}
}
