package dev.vertlet.auth;

/**
 * The authorities that count now. Written by whoever follows their source, read by requests and by
 * TLS handshakes, which may run on other threads.
 */
final class ClientAuthorities {
  private volatile CaBundle bundle = CaBundle.EMPTY;

  CaBundle current() {
    return bundle;
  }

  void replace(CaBundle next) {
    bundle = next;
  }
}
