package dev.vertlet.auth;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The authorities that count now. Written by whoever follows their source, read by requests and by
 * TLS handshakes, which may run on other threads.
 */
final class ClientAuthorities {
  private final AtomicReference<CaBundle> bundle = new AtomicReference<>(CaBundle.EMPTY);

  CaBundle current() {
    return bundle.get();
  }

  void replace(CaBundle next) {
    bundle.set(next);
  }
}
