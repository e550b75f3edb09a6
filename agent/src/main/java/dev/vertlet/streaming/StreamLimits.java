package dev.vertlet.streaming;

import java.time.Duration;

/**
 * How patient connections are; a kubelet's are 4 h and 30 s.
 *
 * @param idle without anything sent in either direction until the connection is closed; up to an
 *     eighth more may pass
 * @param creation until a client has opened the streams it asked for
 */
public record StreamLimits(Duration idle, Duration creation) {
  /** A kubelet's. */
  public static final StreamLimits DEFAULT =
      new StreamLimits(Duration.ofHours(4), Duration.ofSeconds(30));

  public StreamLimits {
    check("idle", idle);
    check("creation", creation);
  }

  private static void check(String name, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(name + " " + value + " must be 1 ms or more");
    }
  }
}
