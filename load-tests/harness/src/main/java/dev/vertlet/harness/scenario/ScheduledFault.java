package dev.vertlet.harness.scenario;

import java.time.Duration;

/**
 * Something that goes wrong during a run.
 *
 * @param at after the beginning of the first phase
 * @param every how often it is done again; zero: once
 */
public record ScheduledFault(Duration at, Duration every, Kind kind) {
  /** What goes wrong. All but the kills and restarts are done by a proxy before the API server. */
  public sealed interface Kind {}

  /** Requests are passed on late. */
  public record Latency(Duration by, String verb, String resource, double share, Duration lasting)
      implements Kind {}

  /** Requests are answered with an error in the API server's place, 429 with Retry-After. */
  public record Errors(
      int code, Duration retryAfter, String verb, String resource, double share, Duration lasting)
      implements Kind {}

  /** Connections with watches are cut. */
  public record CutWatches() implements Kind {}

  /** All connections are cut, and new ones refused for that time. */
  public record Refuse(Duration lasting) implements Kind {}

  /** Every byte is held back for that time. */
  public record Freeze(Duration lasting) implements Kind {}

  /** The API server is killed and started again; only where it is our own. */
  public record RestartApiServer(Duration down) implements Kind {}

  /** The subject is killed and started again. */
  public record RestartSubject(Duration down, boolean orderly) implements Kind {}
}
