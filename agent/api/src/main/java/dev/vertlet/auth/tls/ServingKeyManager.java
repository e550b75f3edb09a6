package dev.vertlet.auth.tls;

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
 * Gives TLS handshakes the current certificate. A handshake asks for an alias and then for the key
 * of that alias. The alias contains the certificate's number, so that the key is still found when
 * the certificate is replaced in between.
 */
public final class ServingKeyManager extends X509ExtendedKeyManager {
  private final Supplier<ServingKey> first;
  private volatile @Nullable Versions versions; // written on one context, read by handshakes

  private record Versions(int number, ServingKey current, @Nullable ServingKey last) {
    @Nullable ServingKey of(String alias) {
      if (alias.equals(String.valueOf(number))) {
        return current;
      }
      return alias.equals(String.valueOf(number - 1)) ? last : null;
    }
  }

  public ServingKeyManager(ServingKey first) {
    this(() -> first);
    known();
  }

  /**
   * @param first creates the certificate on the thread of the first handshake, unless one was set
   *     before
   */
  ServingKeyManager(Supplier<ServingKey> first) {
    this.first = first;
  }

  ServingKey current() {
    return known().current;
  }

  /** Returns whether a certificate exists, without creating one. */
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
    // BoringSSL asks for keys of TLS 1.2 suites and uses the answer for TLS 1.3, too, whose suites
    // work with any key; it detects by itself that no TLS 1.2 suite works with this key
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
   * @param keyType for example {@code EC}, or {@code EC_RSA} for a key whose certificate is signed
   *     with RSA
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

  /** Returns none: this manager serves servers only. */
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
