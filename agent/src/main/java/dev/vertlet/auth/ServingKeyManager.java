package dev.vertlet.auth;

import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Gives TLS handshakes the certificate that counts now. A handshake asks for a name, then for what
 * is behind it: the name holds the number of the certificate, so that one that is replaced between
 * the two questions is still found.
 */
final class ServingKeyManager extends X509ExtendedKeyManager {
  private final Supplier<ServingKey> first;
  private volatile @Nullable Versions versions; // replaced on one context, read by handshakes

  private record Versions(int number, ServingKey current, @Nullable ServingKey last) {
    @Nullable ServingKey of(String alias) {
      if (alias.equals(String.valueOf(number))) {
        return current;
      }
      return alias.equals(String.valueOf(number - 1)) ? last : null;
    }
  }

  ServingKeyManager(ServingKey first) {
    this(() -> first);
    known();
  }

  /**
   * @param first asked by the first handshake, on its thread, unless another one came before
   */
  ServingKeyManager(Supplier<ServingKey> first) {
    this.first = first;
  }

  ServingKey current() {
    return known().current;
  }

  /** Whether there is one already: asking for it makes none. */
  boolean isKnown() {
    return versions != null;
  }

  private Versions known() {
    Versions now = versions;
    if (now != null) {
      return now;
    }
    synchronized (this) {
      now = versions;
      if (now == null) {
        now = new Versions(0, first.get(), null);
        versions = now;
      }
      return now;
    }
  }

  synchronized void replace(ServingKey next) {
    Versions before = versions;
    versions =
        before == null
            ? new Versions(0, next, null)
            : new Versions(before.number + 1, next, before.current);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    // BoringSSL asks for the keys of TLS 1.2's suites and takes the answer for TLS 1.3, too, whose
    // suites go with any; it finds out by itself that none of TLS 1.2 goes with this key
    return engine instanceof ReferenceCountedOpenSslEngine
        ? String.valueOf(known().number)
        : alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return alias(keyType);
  }

  /**
   * @param keyType for example {@code EC}, or {@code EC_RSA} for one that RSA has signed
   */
  private @Nullable String alias(String keyType) {
    Versions now = known();
    String own = now.current.key().getAlgorithm();
    return keyType.equals(own) || keyType.startsWith(own + "_") ? String.valueOf(now.number) : null;
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    ServingKey found = known().of(alias);
    return found == null ? null : found.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    ServingKey found = known().of(alias);
    return found == null ? null : found.key();
  }

  /** This serves and is nobody's client. */
  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyType, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }
}
