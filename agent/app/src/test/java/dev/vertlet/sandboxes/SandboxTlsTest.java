package dev.vertlet.sandboxes;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.auth.tls.TestAuthority;
import dev.vertlet.kube.access.ApiAccess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sandbox API over TLS, and the client of the commands. */
@ExtendWith(VertxExtension.class)
class SandboxTlsTest {
  private final TestAuthority before = TestAuthority.create("before");
  private final TestAuthority after = TestAuthority.create("after");

  @TempDir private Path folder;
  private Vertx vertx;
  private EmbeddedApiServer api;

  @BeforeEach
  void start(Vertx vertx) throws IOException {
    this.vertx = vertx;
    api = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    Files.writeString(folder.resolve("before.pem"), before.pem());
    Files.writeString(folder.resolve("after.pem"), after.pem());
  }

  private void write(TestAuthority.Issued issued) throws IOException {
    Files.writeString(folder.resolve("tls.crt"), issued.certificate());
    Files.writeString(folder.resolve("tls.key"), issued.key());
  }

  private SandboxServer serve() throws IOException {
    JsonObject config =
        new JsonObject(
            """
            {"resolver": {"kind": "simulated"}, "leaderElection": {"enabled": false},
             "pools": [{"name": "tools", "idleImage": "pause"}]}
            """);
    config.put(
        "api",
        new JsonObject()
            .put("port", 0)
            .put("tlsCertFile", folder.resolve("tls.crt").toString())
            .put("tlsPrivateKeyFile", folder.resolve("tls.key").toString()));
    Path file = Files.writeString(folder.resolve("sandbox.json"), config.encode());
    return get(
        SandboxServer.start(
            vertx,
            SandboxConfig.read(file),
            ApiAccess.of(api.url(), api.token()),
            "default",
            "one",
            new SimpleMeterRegistry()));
  }

  /** The name of the pool, or why there is no answer. */
  private String ask(SandboxServer server, @Nullable String authority) throws Exception {
    SandboxClient client =
        new SandboxClient(
            "https://127.0.0.1:" + get(server.port()),
            api.token(),
            authority == null ? null : folder.resolve(authority));
    try {
      return client.call("GET", SandboxClient.path("tools"), "").getString("name");
    } catch (SandboxClient.RefusedException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aCertificateThatChangesIsTheNextOneShown() throws Exception {
    write(before.server("sandbox", "127.0.0.1"));
    SandboxServer server = serve();
    eventually(() -> assertThat(ask(server, "before.pem")).isEqualTo("tools"));
    assertThat(ask(server, "after.pem")).contains("does not answer");
    assertThat(ask(server, null)).contains("does not answer");

    Files.writeString(folder.resolve("tls.crt"), "broken");
    write(after.server("sandbox", "127.0.0.1"));

    eventually(() -> assertThat(ask(server, "after.pem")).isEqualTo("tools"));
    get(server.stop());
  }

  @Test
  void aCertificateThatCannotBeUsedIsNamed() {
    assertThatThrownBy(this::serve)
        .hasMessageContaining(
            "api.tlsCertFile %s with api.tlsPrivateKeyFile %s cannot be used: no such file",
            folder.resolve("tls.crt"), folder.resolve("tls.key"));
  }

  @Test
  void anAuthorityThatCannotBeReadIsNamed() throws Exception {
    Path file = folder.resolve("ca");

    assertThatThrownBy(() -> new SandboxClient("https://localhost", "", file))
        .hasMessage("--certificate-authority " + file + ": cannot read it");
    Files.writeString(file, "");
    assertThatThrownBy(() -> new SandboxClient("https://localhost", "", file))
        .hasMessage("--certificate-authority " + file + ": no certificate in it");
  }

  @ParameterizedTest
  @CsvSource({
    "https://vertlet-sandbox.svc:8480, true",
    "http://127.0.0.1:8480, true",
    "http://localhost, true",
    "http://[::1]:8480, true",
    "http://vertlet-sandbox:8480, false",
    "http://10.0.0.7, false",
    "http://localhost.example, false",
    "nonsense, false"
  })
  void aPodsOwnTokenStaysPrivate(String url, boolean sent) {
    assertThat(SandboxCommand.isPrivate(url)).isEqualTo(sent);
  }
}
