package dev.vertlet.remote.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.remote.ScriptedBackend;
import dev.vertlet.testsupport.ManualClock;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendClientTlsTest {
  private static final Call LIST = Call.get("list", "/v1/pods?limit=1");

  private final Vertx vertx = Vertx.vertx();
  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final CertificateAuthority authority =
      CertificateAuthority.create("back end's", Clock.systemUTC());

  @TempDir Path directory;
  private Path ca;
  private ScriptedBackend backend;

  @BeforeEach
  void startBackend() throws IOException {
    ca = Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
    Identity server = authority.issueServer("b", List.of("back.example.com"), List.of());
    backend =
        ScriptedBackend.start(
            vertx,
            new HttpServerOptions()
                .setSsl(true)
                .setClientAuth(ClientAuth.REQUEST)
                .setTrustOptions(
                    new PemTrustOptions().addCertValue(Buffer.buffer(authority.certificatePem())))
                .setKeyCertOptions(
                    new PemKeyCertOptions()
                        .addCertValue(Buffer.buffer(server.certificatePem()))
                        .addKeyValue(Buffer.buffer(server.privateKeyPem()))));
  }

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private Answer call(JsonObject tls) {
    return Waits.get(client(tls).call(LIST));
  }

  private BackendClient client(JsonObject tls) {
    JsonObject json =
        new JsonObject().put("url", "https://127.0.0.1:" + backend.port()).put("tls", tls);
    RemoteSettings settings = RemoteSettings.read(ProviderSettings.of(json));
    RemoteMeters meters = new RemoteMeters(new SimpleMeterRegistry());
    return new BackendClient(vertx, clock, settings, meters);
  }

  /** CNs of the clients' certificates, one for each request. */
  private List<String> certificates() {
    List<String> seen = new CopyOnWriteArrayList<>();
    backend.fault(
        "GET",
        (request, body) -> {
          try {
            seen.add(request.connection().peerCertificates().get(0).toString());
            request.response().end("{}");
          } catch (SSLPeerUnverifiedException e) {
            request.response().setStatusCode(403).end();
          }
        });
    return seen;
  }

  @Test
  void trustsItsAuthorityAndTheServerNameThatIsConfigured() {
    JsonObject tls =
        new JsonObject().put("caFile", ca.toString()).put("serverName", "back.example.com");

    assertThat(call(tls).status()).isEqualTo(200);
  }

  @Test
  void refusesACertificateOfAnotherName() {
    assertThatThrownBy(() -> call(new JsonObject().put("caFile", ca.toString())))
        .hasMessageStartingWith("GET /v1/pods: ")
        .hasMessageContaining("127.0.0.1")
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.TEMPORARY);
    assertThat(backend.calls()).isEmpty();
  }

  @Test
  void refusesACertificateOfAnotherAuthority() {
    assertThatThrownBy(() -> call(new JsonObject().put("serverName", "back.example.com")))
        .hasMessageStartingWith("GET /v1/pods: ");
    assertThat(backend.calls()).isEmpty();
  }

  @Test
  void showsItsOwnCertificate() throws IOException {
    Identity client = authority.issueClient("vertlet", "");
    List<String> seen = certificates();
    JsonObject tls =
        new JsonObject()
            .put("caFile", ca.toString())
            .put("serverName", "back.example.com")
            .put("certFile", file("tls.crt", client.certificatePem()))
            .put("keyFile", file("tls.key", client.privateKeyPem()));

    assertThat(call(tls).status()).isEqualTo(200);
    assertThat(seen).singleElement().asString().contains("CN=vertlet");
  }

  @Test
  void usesReplacedFilesForTheNextCalls() throws IOException {
    List<String> seen = certificates();
    CertificateAuthority other = CertificateAuthority.create("another", Clock.systemUTC());
    JsonObject tls =
        new JsonObject()
            .put("caFile", file("any.crt", other.certificatePem()))
            .put("serverName", "back.example.com")
            .put("certFile", file("tls.crt", ""))
            .put("keyFile", file("tls.key", ""));
    write(authority.issueClient("first", ""));
    BackendClient client = client(tls);
    assertThatThrownBy(() -> Waits.get(client.call(LIST))).hasMessageStartingWith("GET /v1/pods: ");

    file("any.crt", authority.certificatePem());
    clock.advance(Duration.ofSeconds(2));
    Waits.get(client.call(LIST));
    write(authority.issueClient("second", ""));
    clock.advance(Duration.ofSeconds(2));
    Waits.get(client.call(LIST));

    assertThat(seen).hasSize(2);
    assertThat(seen.get(0)).contains("CN=first");
    assertThat(seen.get(1)).contains("CN=second");
  }

  @Test
  void keepsTheLastFilesWhileNewOnesCannotBeUsed() throws IOException {
    Path file = Files.writeString(directory.resolve("own-ca.crt"), authority.certificatePem());
    BackendClient client =
        client(
            new JsonObject().put("caFile", file.toString()).put("serverName", "back.example.com"));
    Waits.get(client.call(LIST));

    Files.writeString(file, "half of a certificate");
    clock.advance(Duration.ofSeconds(2));
    assertThat(Waits.get(client.call(LIST)).status()).isEqualTo(200);
    Files.delete(file);
    clock.advance(Duration.ofSeconds(2));
    assertThat(Waits.get(client.call(LIST)).status()).isEqualTo(200);
  }

  @Test
  void namesAFileThatIsMissing() {
    String missing = directory.resolve("missing.crt").toString();

    assertThatThrownBy(() -> call(new JsonObject().put("caFile", missing)))
        .hasMessage("GET /v1/pods: the file " + missing + " cannot be read");
  }

  private void write(Identity client) throws IOException {
    file("tls.crt", client.certificatePem());
    file("tls.key", client.privateKeyPem());
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }
}
