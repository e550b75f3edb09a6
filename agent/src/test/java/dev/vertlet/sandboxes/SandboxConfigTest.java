package dev.vertlet.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
          "../conf/examples/sandbox/tools.json", "../k8s/manifests/overlays/sandbox/sandbox.json"
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
