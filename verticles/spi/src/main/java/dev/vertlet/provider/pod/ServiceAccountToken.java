package dev.vertlet.provider.pod;

import java.time.Instant;

/**
 * A token of a service account.
 *
 * @param token secret: do not log
 * @param expiresAt end of its life
 * @param expirationSeconds its life as granted, which may differ from the request
 */
public record ServiceAccountToken(String token, Instant expiresAt, long expirationSeconds) {
  /** Leaves out the token. */
  @Override
  public String toString() {
    return "token until " + expiresAt;
  }
}
