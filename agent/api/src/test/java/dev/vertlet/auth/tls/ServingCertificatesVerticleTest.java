package dev.vertlet.auth.tls;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.HttpsLab;
import dev.vertlet.auth.HttpsLab.Client;
import dev.vertlet.auth.KubeletAccess;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.access.TlsEngine;
import dev.vertlet.loop.Env;
import dev.vertlet.testsupport.ManualClock;
import dev.vertlet.testsupport.TestHttp.Answer;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which certificate the next handshake shows. */
@ExtendWith(VertxExtension.class)
@ParameterizedClass
@EnumSource(
    value = TlsEngine.class,
    names = {"BORINGSSL", "JDK"})
class ServingCertificatesVerticleTest {
  @Parameter private TlsEngine engine = TlsEngine.AUTO;
  private static final ServingNames NAMES =
      new ServingNames("n1", List.of("n1"), List.of("127.0.0.1"));
  private static final String CSRS = "certificatesigningrequests";

  private final TestAuthority authority = TestAuthority.create("servers");
  private final ManualClock clock = new ManualClock(Instant.now());
  @TempDir private Path folder;
  private final List<ServingCertificates> opened = new ArrayList<>();
  private Vertx vertx;
  private HttpsLab lab;

  @BeforeEach
  void start(Vertx vertx) {
    this.vertx = vertx;
    this.lab = new HttpsLab(vertx);
  }

  @AfterEach
  void close() {
    opened.forEach(certificates -> lab.on(certificates::close));
  }

  private static List<ServingNames> names(ServingNames... listeners) {
    return listeners.length == 0 ? List.of(NAMES) : List.of(listeners);
  }

  private ServingCertificates open(ServingTls config, ServingNames... listeners) {
    ServingCertificates certificates =
        lab.on(
            () ->
                ServingCertificates.open(
                    vertx,
                    config,
                    folder.resolve("pki"),
                    lab.kube(),
                    names(listeners),
                    names(listeners),
                    new Env(
                        clock,
                        System::nanoTime,
                        new SplittableRandom(1),
                        new SimpleMeterRegistry()),
                    HttpsLab.FAST_CERTIFICATES));
    opened.add(certificates);
    return certificates;
  }

  private HttpServer serve(ServingTls config, ServingCertificates certificates) {
    KubeletAccess access = lab.access(Authentication.DEFAULTS, Authorization.DEFAULTS);
    return lab.serve(
        ServerTls.options(config, certificates.of("n1"), engine.options()), access, "proxy");
  }

  private X509Certificate shown(HttpServer server) {
    return Waits.get(new Client().server(vertx, server.actualPort()));
  }

  private void awaitShown(HttpServer server, X509Certificate wanted) {
    eventually(() -> assertThat(shown(server)).isEqualTo(wanted));
  }

  private static ServingTls files(Path directory) {
    return new ServingTls(
        directory.resolve("tls.crt"),
        directory.resolve("tls.key"),
        false,
        TlsVersion.TLS_1_2,
        List.of());
  }

  private static void write(Path directory, TestAuthority.Issued issued) throws Exception {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("tls.crt"), issued.certificate());
    Files.writeString(directory.resolve("tls.key"), issued.key());
  }

  @Test
  @Tag("2.4-14")
  void aCertificateReplacedOnDiskIsShownAtTheNextHandshake() throws Exception {
    TestAuthority.Issued first = authority.server("first", "127.0.0.1");
    TestAuthority.Issued second = authority.server("second", "127.0.0.1");
    write(folder, first);
    ServingCertificates certificates = open(files(folder));
    HttpServer server = serve(files(folder), certificates);
    assertThat(shown(server)).isEqualTo(first.parsed().certificate());

    write(folder, second);

    awaitShown(server, second.parsed().certificate());
    assertThat(certificates.of("n1").current()).isEqualTo(second.parsed().certificate());
  }

  @Test
  void theLinkThatASecretTurnsIsFollowed() throws Exception {
    TestAuthority.Issued first = authority.server("first");
    TestAuthority.Issued second = authority.server("second");
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    write(mounted.resolve("..1"), first);
    write(mounted.resolve("..2"), second);
    Files.createSymbolicLink(mounted.resolve("..data"), Path.of("..1"));
    for (String file : List.of("tls.crt", "tls.key")) {
      Files.createSymbolicLink(mounted.resolve(file), Path.of("..data").resolve(file));
    }
    HttpServer server = serve(files(mounted), open(files(mounted)));
    assertThat(shown(server)).isEqualTo(first.parsed().certificate());

    Files.createSymbolicLink(mounted.resolve("..data_tmp"), Path.of("..2"));
    Files.move(
        mounted.resolve("..data_tmp"), mounted.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

    awaitShown(server, second.parsed().certificate());
  }

  @Test
  void brokenFilesLeaveTheOldCertificateUntilGoodOnesCome() throws Exception {
    TestAuthority.Issued first = authority.server("first");
    TestAuthority.Issued second = authority.server("second");
    write(folder, first);
    HttpServer server = serve(files(folder), open(files(folder)));

    Files.writeString(folder.resolve("tls.crt"), second.certificate()); // not of this key
    assertThat(shown(server)).isEqualTo(first.parsed().certificate());
    Files.delete(folder.resolve("tls.key"));
    assertThat(shown(server)).isEqualTo(first.parsed().certificate());
    write(folder, second);

    awaitShown(server, second.parsed().certificate());
  }

  @Test
  void filesThatCannotBeUsedAtFirstAreAnError() throws Exception {
    assertThatThrownBy(() -> open(files(folder)))
        .hasMessage(
            "server.tls.tlsCertFile %s with server.tls.tlsPrivateKeyFile %s cannot be used: no such file"
                .formatted(folder.resolve("tls.crt"), folder.resolve("tls.key")));
    write(folder, authority.server("one"));
    Files.writeString(folder.resolve("tls.key"), authority.server("two").key());

    assertThatThrownBy(() -> open(files(folder)))
        .hasMessageEndingWith("cannot be used: holds a key that is not the certificate's");
  }

  @Test
  void aSelfSignedOneOutlivesTheProcess() {
    HttpServer server = serve(ServingTls.DEFAULTS, open(ServingTls.DEFAULTS));
    X509Certificate made = shown(server);

    X509Certificate again = shown(serve(ServingTls.DEFAULTS, open(ServingTls.DEFAULTS)));

    assertThat(again).isEqualTo(made);
    assertThat(Rotation.serves(made, NAMES, clock.instant())).isTrue();
    assertThat(lab.api().count("create", CSRS)).isZero();
  }

  /** It costs a start more than all else that a kubelet's server does. */
  @Test
  void aSelfSignedOneIsMadeForTheFirstWhoAsks() {
    ServingCertificates certificates = open(ServingTls.DEFAULTS);
    HttpServer server = serve(ServingTls.DEFAULTS, certificates);
    clock.advance(Duration.ofDays(350));
    assertThat(folder.resolve("pki")).doesNotExist();
    assertThat(certificates.of("n1").known()).isEmpty();

    X509Certificate made = shown(server);

    assertThat(folder.resolve("pki")).isNotEmptyDirectory();
    assertThat(certificates.of("n1").known()).contains(made);
  }

  @Test
  void aSelfSignedOneIsRenewedBeforeItsTimeIsOver() {
    HttpServer server = serve(ServingTls.DEFAULTS, open(ServingTls.DEFAULTS));
    X509Certificate made = shown(server);

    clock.advance(Duration.ofDays(350));

    eventually(() -> assertThat(shown(server)).isNotEqualTo(made));
  }

  @Test
  void aSelfSignedOneForOtherAddressesIsMadeAnew() {
    X509Certificate made = open(ServingTls.DEFAULTS).of("n1").current();
    ServingNames moved = new ServingNames("n1", List.of("n1"), List.of("192.0.2.9"));

    X509Certificate next = open(ServingTls.DEFAULTS, moved).of("n1").current();

    assertThat(next).isNotEqualTo(made);
    assertThat(Rotation.serves(next, moved, clock.instant())).isTrue();
  }

  @Test
  void oneSelfSignedOneServesAllNodesAndNamesThemWhileTheyAreFew() {
    List<ServingNames> many =
        java.util.stream.IntStream.range(0, 65)
            .mapToObj(i -> new ServingNames("n" + i, List.of("n" + i), List.of("192.0.2.1")))
            .toList();

    ServingCertificates few = open(ServingTls.DEFAULTS, many.get(0), many.get(1));

    assertThat(few.of("n1")).isSameAs(few.of("n0"));
    assertThat(Rotation.serves(few.of("n1").current(), many.get(1), clock.instant())).isTrue();
    ServingCertificates all = open(ServingTls.DEFAULTS, many.toArray(ServingNames[]::new));
    assertThat(
            Rotation.serves(
                all.of("n64").current(),
                new ServingNames("n64", List.of(), List.of("192.0.2.1")),
                clock.instant()))
        .isTrue();
    assertThatThrownBy(() -> all.of("other")).hasMessage("no listener is called other");
  }

  @Test
  void tls12And13AreSpokenAnd11IsRefused() throws Exception {
    HttpServer server = serve(ServingTls.DEFAULTS, open(ServingTls.DEFAULTS));

    assertThat(call(server, "TLSv1.2").status()).isEqualTo(401);
    assertThat(call(server, "TLSv1.3").status()).isEqualTo(401);

    // this JVM's clients would not even ask
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
      socket.setSoTimeout((int) Waits.LONG.toMillis());
      socket.getOutputStream().write(helloOfTls11());
      byte[] answer = socket.getInputStream().readNBytes(7);

      assertThat(answer[0]).as("alert").isEqualTo((byte) 21);
      assertThat(answer[6]).as("protocol_version").isEqualTo((byte) 70);
    }
  }

  /** One that speaks TLS 1.1 at most, with ECDHE_ECDSA_WITH_AES_128_CBC_SHA. */
  private static byte[] helloOfTls11() {
    return HexFormat.of()
        .parseHex(
            "160301002d" + "01000029" + "0302" + "ab".repeat(32) + "00" + "0002c009" + "0100");
  }

  @Test
  void theServerItselfRefusesWhatIsOlderThanItsVersion() {
    ServingTls strict = new ServingTls(null, null, false, TlsVersion.TLS_1_3, List.of());
    HttpServer server = serve(strict, open(strict));

    assertThat(call(server, "TLSv1.3").status()).isEqualTo(401);
    assertThatThrownBy(() -> call(server, "TLSv1.2")).hasStackTraceContaining("protocol_version");
  }

  @Test
  void onlyTheSuitesThatWereNamedAreSpoken() {
    // of a key that this server does not have: nothing is left of TLS 1.2
    ServingTls strict =
        new ServingTls(
            null,
            null,
            false,
            TlsVersion.TLS_1_2,
            List.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
    HttpServer server = serve(strict, open(strict));

    assertThat(call(server, "TLSv1.3").status()).isEqualTo(401);
    assertThatThrownBy(() -> call(server, "TLSv1.2")).hasStackTraceContaining("handshake_failure");
  }

  private Answer call(HttpServer server, String protocol) {
    return Waits.get(new Client().protocol(protocol).call(vertx, server.actualPort()));
  }

  private static final ServingTls BOOTSTRAP =
      new ServingTls(null, null, true, TlsVersion.TLS_1_2, List.of());

  @Test
  void theClustersCertificateIsShownOnceItIsIssued() {
    ServingCertificates certificates = open(BOOTSTRAP);
    HttpServer server = serve(BOOTSTRAP, certificates);
    X509Certificate meanwhile = shown(server);
    JsonNode request = awaitRequest(Set.of());
    assertThat(request.at("/spec/signerName").asText()).isEqualTo("kubernetes.io/kubelet-serving");

    issue(request, Duration.ofDays(365));

    eventually(() -> assertThat(shown(server)).isNotEqualTo(meanwhile));
    X509Certificate issued = shown(server);
    assertThat(issued.getSubjectX500Principal().getName())
        .isEqualTo("CN=system:node:n1,O=system:nodes");
    assertThat(issued.getIssuerX500Principal().getName()).isEqualTo("CN=servers");
    // a restart shows it at once, and asks for none
    lab.on(certificates::close);
    opened.clear();
    assertThat(open(BOOTSTRAP).of("n1").current()).isEqualTo(issued);
    assertThat(lab.api().count("create", CSRS)).isOne();
  }

  @Test
  void aNewOneIsAskedForBeforeItsTimeIsOver() {
    ServingCertificates certificates = open(BOOTSTRAP);
    JsonNode first = awaitRequest(Set.of());
    issue(first, Duration.ofDays(10));
    await()
        .until(
            () -> certificates.of("n1").current().getIssuerX500Principal().getName(),
            "CN=servers"::equals);
    X509Certificate issued = certificates.of("n1").current();

    clock.advance(Duration.ofDays(9));

    JsonNode second = awaitRequest(Set.of(name(first)));
    assertThat(certificates.of("n1").current()).isEqualTo(issued);
    issue(second, Duration.ofDays(30));
    eventually(() -> assertThat(certificates.of("n1").current()).isNotEqualTo(issued));
  }

  @Test
  void eachListenerHasItsOwn() {
    ServingNames other = new ServingNames("n2", List.of("n2"), List.of("127.0.0.1"));
    ServingCertificates certificates = open(BOOTSTRAP, NAMES, other);
    JsonNode first = awaitRequest(Set.of());
    JsonNode second = awaitRequest(Set.of(name(first)));
    issue(first, Duration.ofDays(365));
    issue(second, Duration.ofDays(365));

    awaitIssued(certificates, "n1");
    awaitIssued(certificates, "n2");
  }

  private static void awaitIssued(ServingCertificates certificates, String node) {
    String subject = "CN=system:node:%s,O=system:nodes".formatted(node);
    eventually(
        () ->
            assertThat(certificates.of(node).current().getSubjectX500Principal().getName())
                .isEqualTo(subject));
  }

  @Test
  void afterANoTheSelfSignedOneServesAndItIsAskedAgainLater() {
    ServingCertificates certificates = open(BOOTSTRAP);
    X509Certificate meanwhile = certificates.of("n1").current();
    JsonNode first = awaitRequest(Set.of());

    decide(first, "Denied");

    JsonNode second = awaitRequest(Set.of(name(first)));
    assertThat(certificates.of("n1").current()).isEqualTo(meanwhile);
    // nor does one that was deleted end it
    Waits.get(lab.api().objects().deleteNow(CSRS, "", name(second)));
    JsonNode third = awaitRequest(Set.of(name(first), name(second)));
    // nor a certificate for another key
    issue(third, CertificateMaker.request(NAMES).certificatePem(), Duration.ofDays(1));
    JsonNode fourth = awaitRequest(Set.of(name(first), name(second), name(third)));
    issue(fourth, Duration.ofDays(365));
    awaitIssued(certificates, "n1");
  }

  @Test
  void oneThatNobodyDecidesOnIsAskedForAnewAfterADay() {
    ServingCertificates certificates = open(BOOTSTRAP);
    JsonNode first = awaitRequest(Set.of());
    await().until(() -> lab.api().count("get", CSRS) > 2);
    assertThat(lab.api().count("create", CSRS)).isOne();

    clock.advance(Duration.ofHours(25));

    awaitRequest(Set.of(name(first)));
  }

  @Test
  void aRequestThatCannotBeMadeIsTriedAgain() {
    lab.api().faults().on("create", CSRS).times(3).forbid();
    lab.api().faults().on("get", CSRS).times(2).respond(500, "InternalError");
    ServingCertificates certificates = open(BOOTSTRAP);

    issue(awaitRequest(Set.of()), Duration.ofDays(365));

    awaitIssued(certificates, "n1");
    assertThat(lab.api().count("create", CSRS)).isEqualTo(4);
  }

  private static String name(JsonNode request) {
    return request.at("/metadata/name").asText();
  }

  /** The first request besides those that are known. */
  private JsonNode awaitRequest(Set<String> known) {
    return await()
        .until(
            () ->
                Waits.get(lab.api().objects().list(CSRS, "")).stream()
                    .filter(request -> !known.contains(name(request)))
                    .findFirst(),
            java.util.Optional::isPresent)
        .orElseThrow();
  }

  private void issue(JsonNode request, Duration life) {
    byte[] pem = Base64.getDecoder().decode(request.at("/spec/request").asText());
    issue(request, new String(pem, US_ASCII), life);
  }

  /** Approves, and signs what this request asks for. */
  private void issue(JsonNode request, String pem, Duration life) {
    decide(request, "Approved");
    Instant from = clock.instant().minusSeconds(300);
    String certificate = authority.sign(pem.getBytes(US_ASCII), from, from.plus(life));
    Waits.get(
        lab.api()
            .objects()
            .editStatus(
                CSRS,
                "",
                name(request),
                object ->
                    ((ObjectNode) object.get("status"))
                        .put(
                            "certificate",
                            Base64.getEncoder().encodeToString(certificate.getBytes(US_ASCII)))));
  }

  private void decide(JsonNode request, String type) {
    ObjectNode decided = request.deepCopy();
    decided.put("kind", "CertificateSigningRequest");
    decided.put("apiVersion", "certificates.k8s.io/v1");
    decided
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", type)
        .put("status", "True")
        .put("reason", "Test")
        .put("message", "as asked");
    KubePath approval =
        new KubePath(
            SigningRequest.path(name(request)).path() + "/approval",
            CSRS + "/approval",
            "certificates.k8s.io");
    lab.on(
        () ->
            lab.kube()
                .send(KubeRequest.update(Lane.REST, approval, Buffer.buffer(decided.toString()))));
  }
}
