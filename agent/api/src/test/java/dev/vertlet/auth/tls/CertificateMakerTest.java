package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.certificates.Identity;
import dev.vertlet.certificates.Pem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made, kept and replaced of certificates. */
class CertificateMakerTest {
  private static final ServingNames NAMES =
      new ServingNames("n1", List.of("n1", "host"), List.of("192.0.2.7", "2001:db8::1"));

  private final Instant now = Instant.now();
  @TempDir private Path folder;

  private static ServingKey parse(Identity made) {
    return ServingKey.parse(
        made.certificatePem().getBytes(US_ASCII), made.privateKeyPem().getBytes(US_ASCII));
  }

  @Test
  void aSelfSignedOneIsForServersOfTheseNamesForAYear() throws Exception {
    Identity made = CertificateMaker.selfSigned("n1@1", NAMES, now);

    X509Certificate certificate = parse(made).certificate();
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=n1@1");
    certificate.verify(certificate.getPublicKey());
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
    assertThat(Rotation.serves(certificate, NAMES, now)).isTrue();
    assertThat(Duration.between(now, certificate.getNotAfter().toInstant()))
        .isBetween(Duration.ofDays(364), Duration.ofDays(365));
    assertThat(made.toString()).doesNotContain("PRIVATE KEY");
  }

  @Test
  void aRequestIsWhatTheSignerOfKubeletsTakes() throws Exception {
    Identity made = CertificateMaker.request(NAMES);

    Pem.Block block = Pem.blocks(made.certificatePem().getBytes(US_ASCII)).get(0);
    assertThat(block.label()).isEqualTo("CERTIFICATE REQUEST");
    JcaPKCS10CertificationRequest request = new JcaPKCS10CertificationRequest(block.der());
    assertThat(request.getSubject().toString()).isEqualTo("O=system:nodes,CN=system:node:n1");
    assertThat(
            request.isSignatureValid(
                new JcaContentVerifierProviderBuilder().build(request.getPublicKey())))
        .isTrue();
    assertThat(
            GeneralNames.fromExtensions(
                    request.getRequestedExtensions(), Extension.subjectAlternativeName)
                .getNames())
        .hasSize(4);
    assertThat(
            SigningRequest.of(made.certificatePem()).getJsonObject("spec").getString("signerName"))
        .isEqualTo("kubernetes.io/kubelet-serving");
  }

  @Test
  void renewsAtSeventyToNinetyPercentOfItsLife() {
    TestAuthority.Issued issued =
        TestAuthority.create("a")
            .issue(
                TestAuthority.subject("n1").build(),
                Instant.EPOCH,
                Instant.EPOCH.plusSeconds(1000),
                org.bouncycastle.asn1.x509.KeyPurposeId.id_kp_serverAuth,
                List.of());
    X509Certificate certificate = issued.parsed().certificate();
    RandomGenerator random = new SplittableRandom(1);

    for (int i = 0; i < 1000; i++) {
      assertThat(Rotation.deadline(certificate, random))
          .isBetween(Instant.EPOCH.plusSeconds(700), Instant.EPOCH.plusSeconds(900));
    }
  }

  @Test
  void servesWhatItNamesInItsTimeAlone() {
    X509Certificate certificate =
        parse(CertificateMaker.selfSigned("n1", NAMES, now)).certificate();

    assertThat(Rotation.serves(certificate, NAMES, now)).isTrue();
    assertThat(
            Rotation.serves(
                certificate, new ServingNames("n1", List.of("n1"), List.of("192.0.2.7")), now))
        .isTrue();
    assertThat(
            Rotation.serves(
                certificate, new ServingNames("n1", List.of(), List.of("2001:db8:0::1")), now))
        .isTrue();
    assertThat(
            Rotation.serves(
                certificate, new ServingNames("n1", List.of(), List.of("192.0.2.8")), now))
        .isFalse();
    assertThat(Rotation.serves(certificate, new ServingNames("n1", List.of("n2"), List.of()), now))
        .isFalse();
    assertThat(Rotation.serves(certificate, NAMES, now.plus(Duration.ofDays(366)))).isFalse();
    assertThat(Rotation.serves(certificate, NAMES, now.minus(Duration.ofDays(1)))).isFalse();
    X509Certificate nameless = TestAuthority.create("a").server("n1").parsed().certificate();
    assertThat(Rotation.serves(nameless, NAMES, now)).isFalse();
  }

  @Test
  void namesMustBeNames() {
    assertThatThrownBy(() -> new ServingNames("n1", List.of(), List.of("host")))
        .hasMessage("an address of node n1 must be an IP address, got \"host\"");
    assertThatThrownBy(() -> new ServingNames("n1", List.of(), List.of()))
        .hasMessage("the listener of node n1 must have a host name or an address");
  }

  @Test
  void isKeptForItsOwnerAlone() throws Exception {
    Pki pki = new Pki(folder.resolve("pki"));
    assertThat(pki.load("one")).isEmpty();
    Identity made = CertificateMaker.selfSigned("n1", NAMES, now);

    pki.save("one", made.certificatePem(), made.privateKeyPem());

    assertThat(pki.load("one").orElseThrow().key()).isEqualTo(parse(made).key());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(pki.file("one"))))
        .isEqualTo("rw-------");
    try (var files = Files.list(folder.resolve("pki"))) {
      assertThat(files).containsExactly(pki.file("one"));
    }
  }

  @Test
  void whatIsBrokenOnDiskIsNotUsedAndADiskThatIsNotThereIsNoEnd() throws Exception {
    Pki pki = new Pki(folder);
    Files.writeString(pki.file("broken"), "nonsense");
    assertThat(pki.load("broken")).isEmpty();
    Files.writeString(folder.resolve("file"), "");
    Pki nowhere = new Pki(folder.resolve("file").resolve("pki"));
    Identity made = CertificateMaker.selfSigned("n1", NAMES, now);

    nowhere.save("one", made.certificatePem(), made.privateKeyPem());

    assertThat(nowhere.load("one")).isEmpty();
  }
}
