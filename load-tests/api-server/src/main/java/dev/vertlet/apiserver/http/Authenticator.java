package dev.vertlet.apiserver.http;

import java.util.Set;

/**
 * Bearer tokens that are accepted. Test threads switch them, the server's event loop reads them:
 * the set is immutable and its reference volatile.
 */
public final class Authenticator {
  private static final String BEARER = "Bearer ";

  private volatile Set<String> accepted;

  /**
   * @param accepted accepted tokens; an empty set accepts everyone, token or not
   */
  public Authenticator(Set<String> accepted) {
    this.accepted = Set.copyOf(accepted);
  }

  /** Replaces the accepted tokens, from the next request on. */
  public void accept(Set<String> tokens) {
    accepted = Set.copyOf(tokens);
  }

  /**
   * @param authorization the Authorization header, empty when absent
   */
  boolean admits(String authorization) {
    Set<String> now = accepted;
    return now.isEmpty()
        || (authorization.startsWith(BEARER)
            && now.contains(authorization.substring(BEARER.length()).trim()));
  }

  /** Whether a bearer token alone is accepted; an empty one never is. */
  boolean knows(String token) {
    return !token.isEmpty() && admits(BEARER + token);
  }
}
