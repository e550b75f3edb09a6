package dev.vertlet.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.config.document.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxConfigTest {
  @TempDir private Path folder;

  private SandboxConfig read(String json) throws IOException {
    return SandboxConfig.read(Files.writeString(folder.resolve("sandbox.json"), json));
  }

  private @Nullable String mistakes(String json) {
    return catchThrowableOfType(ConfigException.class, () -> read(json)).getMessage();
  }

  @Test
  void theExampleAndTheOverlayAreAllowed() {
    for (String file :
        new String[] {
          "../../conf/examples/sandbox/tools.json",
          "../../k8s/manifests/overlays/sandbox/sandbox.json"
        }) {
      assertThat(SandboxConfig.read(Path.of(file)).pools()).hasSize(1);
    }
  }

  @Test
  void defaultsAreThoseOfTheSchema() throws IOException {
    SandboxConfig config = read("{\"pools\": [{\"name\": \"a\", \"idleImage\": \"pause\"}]}");

    assertThat(config.names().prefix()).isEqualTo("agentbox.navix.sh/");
    assertThat(config.resolver()).isEqualTo(SandboxConfig.Resolver.REGISTRY);
    assertThat(config.api().port()).isEqualTo(8480);
    assertThat(config.api().authenticate()).isTrue();
    assertThat(config.leader().enabled()).isTrue();
    assertThat(config.pools().get(0).startupTimeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.pools().get(0).replaceFailed()).isTrue();
  }

  private String api(String api) {
    return "{\"api\": %s, \"pools\": [{\"name\": \"a\", \"idleImage\": \"pause\"}]}".formatted(api);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "127.0.0.2", "localhost", "::1", "[::1]", "::ffff:127.0.0.1"})
  void noAuthenticationAndNoTlsAreForLoopback(String address) throws IOException {
    SandboxConfig config =
        read(api("{\"address\": \"%s\", \"authentication\": \"none\"}".formatted(address)));

    assertThat(config.api().authenticate()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0.0.0.0", "::", "10.0.0.7", "::ffff:10.0.0.7", "127.1", "localhost.example"})
  void otherAddressesNeedAuthenticationAndTls(String address) throws IOException {
    assertThat(
            mistakes(api("{\"address\": \"%s\", \"authentication\": \"none\"}".formatted(address))))
        .contains(
            "/api/authentication: \"none\" is for loopback addresses",
            "/api/address: \"" + address + "\" needs tlsCertFile and tlsPrivateKeyFile");
    assertThat(read(api("{\"address\": \"%s\", \"plainHttp\": true}".formatted(address))).api())
        .extracting(SandboxConfig.Api::plainHttp)
        .isEqualTo(true);
    assertThat(
            read(api(
                    "{\"address\": \"%s\", \"tlsCertFile\": \"/c\", \"tlsPrivateKeyFile\": \"/k\"}"
                        .formatted(address)))
                .api()
                .certificate())
        .isEqualTo(Path.of("/c"));
  }

  @Test
  void registriesAreThoseOfThePoolsUnlessSomeAreNamed() throws IOException {
    String pools =
        """
        "pools": [{"name": "a", "idleImage": "pause"},
          {"name": "b", "template": {"spec": {"containers": [{"image": "ghcr.io/x/y:1"}, {"image": "r:5000/z"}]}}}]}
        """;

    assertThat(read("{" + pools).registries().all())
        .containsExactlyInAnyOrder("docker.io", "ghcr.io", "r:5000");
    assertThat(read("{\"resolver\": {\"registries\": [\"quay.io\"]}, " + pools).registries().all())
        .containsExactly("quay.io");
    for (String any : List.of("\"registries\": [\"*\"]", "\"kind\": \"simulated\"")) {
      assertThat(read("{\"resolver\": {" + any + "}, " + pools).registries())
          .isEqualTo(AllowedRegistries.ANY);
    }
  }

  @Test
  void imagesOfOtherRegistriesAreRefused() {
    AllowedRegistries registries = new AllowedRegistries(Set.of("docker.io", "r:5000"));

    registries.check(List.of("python:3.12", "docker.io/a/b", "r:5000/x@sha256:" + "0".repeat(64)));
    for (String image : List.of("ghcr.io/a/b", "127.0.0.1:6443/a", "r:5001/x", "localhost/x")) {
      assertThatThrownBy(() -> registries.check(List.of("python:3.12", image)))
          .as(image)
          .hasMessageContaining("resolver.registries allows docker.io, r:5000");
    }
    AllowedRegistries.ANY.check(List.of("ghcr.io/a/b"));
  }

  @Test
  void mistakesAreNamedWithTheirPlaces() {
    assertThat(
            mistakes(
                """
                {"prefix": "x", "api": {"address": "0.0.0.0", "authentication": "none", "tlsCertFile": "c"},
                 "leaderElection": {"renewInterval": "10s"},
                 "pools": [{"name": "a", "size": 2}, {"name": "a", "idleImage": "p"},
                   {"name": "B", "template": {"spec": {"restartPolicy": "Never"}}}]}
                """))
        .contains(
            "/prefix: \"x\" must be a DNS name and a slash",
            "/api/authentication: \"none\" is for loopback addresses",
            "/api: must have both",
            "/leaderElection: duration must be",
            "/pools/0/idleImage: is missing",
            "/pools/0/size: 2 must be 0",
            "/pools/1/name: \"a\" must be no other pool's",
            "/pools/2/name: \"B\" must be a lowercase RFC 1123 label: it must consist of",
            "/pools/2/template/spec/containers: must have a container",
            "/pools/2/template/spec/restartPolicy: \"Never\" must be Always");
    assertThat(mistakes("{\"pools\": [], \"extra\": 1}"))
        .contains("/pools: [] must have at least one item", "/extra: unknown key");
  }
}
