package dev.vertlet.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.auth.tls.TestAuthority;
import dev.vertlet.certificates.Pem;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.Test;

/** What a client certificate is worth, and to whom it belongs. */
class ClientCertificateTest {
  private final TestAuthority authority = TestAuthority.create("clients");
  private final Instant now = Instant.now();

  private static List<X509Certificate> chain(String... pems) {
    return Pem.certificates(String.join("", pems).getBytes(US_ASCII));
  }

  @Test
  void takesOneOfItsAuthority() {
    String client = authority.client("jane").certificate();

    assertThatCode(() -> authority.bundle().verify(chain(client), now)).doesNotThrowAnyException();
  }

  @Test
  void takesOneOfEachAuthorityOfTheBundle() {
    TestAuthority other = TestAuthority.create("others");
    CaBundle both = CaBundle.parse((other.pem() + "# and\n" + authority.pem()).getBytes(US_ASCII));

    assertThatCode(
            () -> {
              both.verify(chain(authority.client("jane").certificate()), now);
              both.verify(chain(other.client("bob").certificate()), now);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void takesOneThroughAnIntermediateThatTheClientSends() {
    TestAuthority intermediate = authority.intermediate("between");
    String client = intermediate.client("jane").certificate();

    assertThatCode(() -> authority.bundle().verify(chain(client, intermediate.pem()), now))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> authority.bundle().verify(chain(client), now))
        .isInstanceOf(GeneralSecurityException.class);
  }

  /** Finding the way through them is work before anything is proven. */
  @Test
  void refusesALongChainWithoutALook() {
    String client = authority.client("jane").certificate();
    String[] chain = new String[60];
    Arrays.setAll(chain, i -> i == 0 ? client : TestAuthority.create("clients").pem());

    assertThatThrownBy(() -> authority.bundle().verify(chain(chain), now))
        .isInstanceOf(CertificateException.class)
        .hasMessage("a chain must have at most 5 certificates, got 60");
  }

  @Test
  void takesOneThatIsInTheBundleItself() {
    String client = TestAuthority.create("unknown").client("jane").certificate();

    assertThatCode(() -> CaBundle.parse(client.getBytes(US_ASCII)).verify(chain(client), now))
        .doesNotThrowAnyException();
  }

  private void refuses(TestAuthority by, TestAuthority.Issued client, Instant at) {
    assertThatThrownBy(() -> by.bundle().verify(chain(client.certificate()), at))
        .isInstanceOf(GeneralSecurityException.class);
  }

  @Test
  void refusesOneOfAnotherAuthorityEvenOfTheSameName() {
    refuses(authority, TestAuthority.create("clients").client("jane"), now);
  }

  @Test
  void refusesOneThatIsOverOrHasNotBegun() {
    refuses(authority, authority.expired("jane"), now);
    refuses(authority, authority.client("jane"), now.minus(Duration.ofHours(2)));
  }

  @Test
  void refusesOneOfAnAuthorityThatIsOver() {
    TestAuthority past = TestAuthority.create("past", now.minus(Duration.ofMinutes(1)));
    refuses(past, past.client("jane"), now);
  }

  private String issued(KeyPurposeId purpose) {
    return authority
        .issue(
            TestAuthority.subject("jane").build(),
            now.minusSeconds(60),
            now.plusSeconds(60),
            purpose,
            List.of())
        .certificate();
  }

  @Test
  void refusesOneThatIsForServers() {
    String server = issued(KeyPurposeId.id_kp_serverAuth);

    assertThatThrownBy(() -> authority.bundle().verify(chain(server), now))
        .hasMessageContaining("is not for clients");
  }

  @Test
  void takesOneThatIsForEverything() {
    String any = issued(KeyPurposeId.anyExtendedKeyUsage);

    assertThatCode(() -> authority.bundle().verify(chain(any), now)).doesNotThrowAnyException();
  }

  @Test
  void theSubjectNamesUserAndGroups() throws Exception {
    X509Certificate certificate = certificate(authority.client("jane", "devs", "ops"));

    User user = CertificateUser.of(certificate).orElseThrow();

    assertThat(user.name()).isEqualTo("jane");
    assertThat(user.groups()).containsExactly("devs", "ops");
    assertThat(user.uid()).isEmpty();
    assertThat(user.extra().get("authentication.kubernetes.io/credential-id"))
        .singleElement()
        .asString()
        .matches("X509SHA256=[0-9a-f]{64}");
  }

  @Test
  void ofSeveralCommonNamesTheLastCounts() throws Exception {
    X500Name subject = TestAuthority.subject("first").addRDN(BCStyle.CN, "last").build();

    assertThat(CertificateUser.of(certificate(authority.client(subject))).orElseThrow().name())
        .isEqualTo("last");
  }

  @Test
  void aSubjectWithoutCommonNameIsNobody() throws Exception {
    X500Name subject = TestAuthority.subject("").addRDN(BCStyle.O, "devs").build();

    assertThat(CertificateUser.of(certificate(authority.client(subject)))).isEmpty();
  }

  @Test
  void aSubjectMayCarryOneUid() throws Exception {
    X500Name one =
        TestAuthority.subject("jane").addRDN(TestAuthority.UID, new DERUTF8String("u1")).build();
    X500Name two =
        TestAuthority.subject("jane")
            .addRDN(TestAuthority.UID, new DERUTF8String("u1"))
            .addRDN(TestAuthority.UID, new DERUTF8String("u2"))
            .build();
    X500Name none =
        TestAuthority.subject("jane").addRDN(TestAuthority.UID, new DERUTF8String("")).build();

    assertThat(CertificateUser.of(certificate(authority.client(one))).orElseThrow().uid())
        .isEqualTo("u1");
    assertThatThrownBy(() -> CertificateUser.of(certificate(authority.client(two))))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("[u1, u2]");
    assertThatThrownBy(() -> CertificateUser.of(certificate(authority.client(none))))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void aUidThatIsNoTextIsRefused() {
    X500Name subject =
        TestAuthority.subject("jane")
            .addRDN(TestAuthority.UID, new org.bouncycastle.asn1.ASN1Integer(1))
            .addRDN(BCStyle.O, new org.bouncycastle.asn1.ASN1Integer(2))
            .build();

    assertThatThrownBy(() -> CertificateUser.of(certificate(authority.client(subject))))
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void aBundleMustHoldCertificates() {
    assertThatThrownBy(() -> CaBundle.parse("nothing".getBytes(US_ASCII)))
        .hasMessage("holds no PEM certificate");
    assertThatThrownBy(
            () ->
                CaBundle.parse(
                    Pem.encode(Pem.CERTIFICATE, new byte[] {1, 2, 3}).getBytes(US_ASCII)))
        .hasMessage("holds a certificate that cannot be read");
    assertThat(CaBundle.EMPTY.isEmpty()).isTrue();
  }

  private static X509Certificate certificate(TestAuthority.Issued issued) {
    return chain(issued.certificate()).get(0);
  }
}
