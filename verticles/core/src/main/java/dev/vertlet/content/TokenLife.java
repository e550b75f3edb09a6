package dev.vertlet.content;

import java.time.Duration;
import java.time.Instant;

/**
 * Life of a service account token.
 *
 * @param expiresAt as the API server answered
 * @param seconds life that the API server granted
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/token/token_manager.go">
 *     requiresRefresh, kubelet 1.36.3</a>
 */
record TokenLife(Instant expiresAt, long seconds) {
  /** A token is replaced after a day, however long it lives. */
  private static final Duration LONGEST = Duration.ofHours(24);

  /** Refreshes of tokens that were requested together are spread over this time. */
  private static final Duration JITTER = Duration.ofSeconds(10);

  /** Part of its life after which a token is replaced, in percent. */
  private static final long PERCENT = 80;

  boolean expired(Instant now) {
    return now.isAfter(expiresAt);
  }

  /**
   * Returns when to replace the token: after 80 % of its life, or after 24 h.
   *
   * @param chance from 0 to 1: how much of the jitter of 10 s is subtracted
   */
  Instant refreshAt(double chance) {
    Instant issued = expiresAt.minusSeconds(seconds);
    Instant aged = issued.plus(LONGEST);
    Instant old = expiresAt.minusSeconds(seconds * (100 - PERCENT) / 100);
    Instant due = aged.isBefore(old) ? aged : old;
    return due.minusMillis((long) (JITTER.toMillis() * chance));
  }
}
