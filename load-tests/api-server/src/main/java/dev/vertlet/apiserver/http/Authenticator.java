package dev.vertlet.apiserver.http;

import java.util.Optional;
import java.util.Set;

/**
 * Whose bearer token it is: an administrator's, or a ServiceAccount's. Test threads switch the
 * administrators' tokens, the server's event loop reads them: the set is immutable and its
 * reference volatile.
 */
public final class Authenticator {
  private static final String BEARER = "Bearer ";

  private final ServiceAccountTokens accounts;
  private volatile Set<String> accepted;

  /**
   * @param accepted tokens of administrators; with an empty set everyone is one, token or not
   */
  public Authenticator(Set<String> accepted, ServiceAccountTokens accounts) {
    this.accepted = Set.copyOf(accepted);
    this.accounts = accounts;
  }

  /** Replaces the administrators' tokens, from the next request on. */
  public void accept(Set<String> tokens) {
    accepted = Set.copyOf(tokens);
  }

  /**
   * Who sends a request.
   *
   * @param authorization the Authorization header, empty when absent
   */
  Optional<User> sender(String authorization) {
    String token =
        authorization.startsWith(BEARER) ? authorization.substring(BEARER.length()).trim() : "";
    return token.isEmpty() && accepted.isEmpty() ? Optional.of(User.ADMINISTRATOR) : owner(token);
  }

  /** Whose token this is; an empty one is nobody's. */
  Optional<User> owner(String token) {
    Set<String> now = accepted;
    Optional<User> account = accounts.user(token);
    boolean administrator = now.contains(token) || (now.isEmpty() && !token.isEmpty());
    return account.isEmpty() && administrator ? Optional.of(User.ADMINISTRATOR) : account;
  }
}
