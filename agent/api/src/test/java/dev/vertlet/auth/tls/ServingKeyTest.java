package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.certificates.Pem;
import java.io.StringWriter;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway") // what does not matter here is null
class ServingKeyTest {
  private final TestAuthority authority = TestAuthority.create("servers");

  /** A key as OpenSSL writes it by default: {@code EC PRIVATE KEY}, {@code RSA PRIVATE KEY}. */
  private static String traditional(KeyPair pair) throws Exception {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(pair.getPrivate());
    }
    return text.toString();
  }

  private ServingKey parse(String certificate, String key) {
    return ServingKey.parse(certificate.getBytes(US_ASCII), key.getBytes(US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void readsKeysInBothForms(String algorithm) throws Exception {
    KeyPair pair = TestAuthority.keys(algorithm);
    String certificate = authority.serverOf(pair, "server");

    ServingKey modern = parse(certificate, TestAuthority.key(pair.getPrivate()));
    ServingKey traditional = parse(certificate, traditional(pair));

    assertThat(traditional(pair)).contains(algorithm + " PRIVATE KEY");
    assertThat(modern.key()).isEqualTo(pair.getPrivate());
    assertThat(traditional.key()).isEqualTo(pair.getPrivate());
  }

  @Test
  void readsAKeyOfAnEdwardsCurve() throws Exception {
    KeyPair pair = TestAuthority.keys("Ed25519");

    assertThat(
            parse(authority.serverOf(pair, "server"), TestAuthority.key(pair.getPrivate())).key())
        .isEqualTo(pair.getPrivate());
  }

  @Test
  void keepsTheIntermediatesAndHidesTheKey() {
    TestAuthority intermediate = authority.intermediate("between");
    TestAuthority.Issued server = intermediate.server("server");

    ServingKey key = parse(server.certificate() + intermediate.pem(), server.key());

    assertThat(key.chain()).hasSize(2);
    assertThat(key.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=server");
    assertThat(key.toString()).isEqualTo("ServingKey[CN=server]");
  }

  @Test
  void saysWhatIsWrong() {
    TestAuthority.Issued one = authority.server("one");
    TestAuthority.Issued other = authority.server("other");
    String encrypted = one.key().replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    String broken = Pem.encode("PRIVATE KEY", new byte[] {1, 2});

    assertThatThrownBy(() -> parse("", one.key())).hasMessage("holds no PEM certificate");
    assertThatThrownBy(() -> parse(one.certificate(), "")).hasMessage("holds no PEM private key");
    assertThatThrownBy(() -> parse(one.certificate(), one.certificate()))
        .hasMessage("holds no PEM private key");
    assertThatThrownBy(() -> parse(one.certificate(), other.key()))
        .hasMessage("holds a key that is not the certificate's");
    assertThatThrownBy(() -> parse(one.certificate(), encrypted))
        .hasMessage("holds an encrypted key, and there is no password");
    assertThatThrownBy(() -> parse(one.certificate(), broken))
        .hasMessage("holds a key that cannot be read as one of algorithm EC");
    for (String kind : List.of("EC", "RSA")) {
      assertThatThrownBy(
              () -> parse(one.certificate(), Pem.encode(kind + " PRIVATE KEY", new byte[] {1, 2})))
          .hasMessageStartingWith("holds a");
    }
  }

  @Test
  void aHandshakeFindsTheCertificateItBeganWith() {
    ServingKey first = authority.server("first").parsed();
    ServingKey second = authority.server("second").parsed();
    ServingKeyManager manager = new ServingKeyManager(first);
    String begun = manager.chooseEngineServerAlias("EC", null, null);
    assertThat(begun).isNotNull();

    manager.replace(second);

    assertThat(manager.getPrivateKey(begun)).isEqualTo(first.key());
    assertThat(manager.getCertificateChain(begun)).containsExactly(first.certificate());
    String next = manager.chooseServerAlias("EC_RSA", null, null);
    assertThat(next).isNotNull().isNotEqualTo(begun);
    assertThat(manager.getPrivateKey(next)).isEqualTo(second.key());
    assertThat(manager.current()).isEqualTo(second);

    manager.replace(authority.server("third").parsed());
    assertThat(manager.getPrivateKey(begun)).isNull();
    assertThat(manager.getCertificateChain(begun)).isNull();
  }

  @Test
  void theFirstIsAskedForOnceAndNotWhenAnotherCameBefore() {
    ServingKey first = authority.server("first").parsed();
    ServingKey second = authority.server("second").parsed();
    List<ServingKey> asked = new ArrayList<>();
    Supplier<ServingKey> made =
        () -> {
          asked.add(first);
          return first;
        };
    ServingKeyManager manager = new ServingKeyManager(made);
    assertThat(manager.isKnown()).isFalse();
    assertThat(asked).isEmpty();

    assertThat(manager.getServerAliases("EC", null)).hasSize(1);
    assertThat(manager.current()).isSameAs(first);
    assertThat(manager.isKnown()).isTrue();
    assertThat(asked).hasSize(1);

    ServingKeyManager other = new ServingKeyManager(made);
    other.replace(second);
    assertThat(other.current()).isSameAs(second);
    assertThat(asked).hasSize(1);
  }

  @Test
  void offersItsKeyForItsOwnAlgorithmAndToServersAlone() {
    ServingKeyManager manager = new ServingKeyManager(authority.server("server").parsed());

    assertThat(manager.getServerAliases("EC", null)).hasSize(1);
    assertThat(manager.getServerAliases("RSA", null)).isNull();
    assertThat(manager.chooseEngineServerAlias("RSA", null, null)).isNull();
    assertThat(manager.getClientAliases("EC", null)).isNull();
    assertThat(manager.chooseClientAlias(new String[] {"EC"}, null, null)).isNull();
  }

  @Test
  void trustsNoServer() {
    AnyClient trust = new AnyClient();
    assertThatThrownBy(() -> trust.checkServerTrusted(null, "EC"))
        .hasMessage("this trusts clients, and no server");
    assertThatThrownBy(() -> trust.checkServerTrusted(null, "EC", (java.net.Socket) null))
        .hasMessage("this trusts clients, and no server");
    assertThatThrownBy(() -> trust.checkServerTrusted(null, "EC", (javax.net.ssl.SSLEngine) null))
        .hasMessage("this trusts clients, and no server");
    trust.checkClientTrusted(null, "EC");
    trust.checkClientTrusted(null, "EC", (java.net.Socket) null);
    assertThat(trust.getAcceptedIssuers()).isEmpty();
  }
}
