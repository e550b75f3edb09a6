package dev.vertlet.auth;

/**
 * Current client certificate authorities. The follower of their source writes them; requests and
 * TLS handshakes, which may run on other threads, read them.
 */
public final class ClientAuthorities {
  private volatile CaBundle bundle = CaBundle.EMPTY;

  CaBundle current() {
    return bundle;
  }

  void replace(CaBundle next) {
    bundle = next;
  }
}
