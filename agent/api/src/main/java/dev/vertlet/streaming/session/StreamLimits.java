package dev.vertlet.streaming.session;

import java.time.Duration;

/**
 * Time limits of connections; a kubelet's are 4 h and 30 s.
 *
 * @param idle time without data in either direction after which the connection is closed; up to an
 *     eighth more may pass
 * @param creation time within which a client must open the requested streams
 */
public record StreamLimits(Duration idle, Duration creation) {
  /** The limits of a kubelet. */
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
