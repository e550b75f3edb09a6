package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderSettings;
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
    JsonObject json =
        new JsonObject().put("url", "https://127.0.0.1:" + backend.port()).put("tls", tls);
    RemoteSettings settings = RemoteSettings.read(ProviderSettings.of(json));
    RemoteMeters meters = new RemoteMeters(new SimpleMeterRegistry());
    return Waits.get(new BackendClient(vertx, Clock.systemUTC(), settings, meters).call(LIST));
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
    JsonObject tls =
        new JsonObject()
            .put("caFile", ca.toString())
            .put("serverName", "back.example.com")
            .put("certFile", file("tls.crt", client.certificatePem()))
            .put("keyFile", file("tls.key", client.privateKeyPem()));

    assertThat(call(tls).status()).isEqualTo(200);
    assertThat(seen).singleElement().asString().contains("CN=vertlet");
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }
}
