package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariablesTest {
  private static VertletConfig load(Map<String, String> variables, String text) {
    return new ConfigLoader(TestConfig.environment(variables)).parse("f", text, List.of()).config();
  }

  @Test
  void variablesStandInEveryText() {
    VertletConfig config =
        load(
            Map.of("NODE_NAME", "worker-3", "ZONE", "z", "EMPTY", ""),
            """
            {"agent": {"identity": "${NODE_NAME}/${ZONE}${EMPTY}"},
             "nodes": [{"labels": {"zone": "${ZONE}", "rack": "${RACK:-r0}", "e": "${EMPTY:-x}"}}]}""");

    assertThat(config.agent().identity()).isEqualTo("worker-3/z");
    assertThat(config.nodeSpecs().get(0).name()).isEqualTo("worker-3-v0");
    assertThat(config.nodeSpecs().get(0).labels())
        .containsEntry("zone", "z")
        .containsEntry("rack", "r0")
        .containsEntry("e", "x");
  }

  @Test
  void aTextThatIsOneReferenceBecomesTheNumberThatIsWanted() {
    VertletConfig config =
        load(
            Map.of("NODES", "3"),
            """
            {"nodes": [{"count": "${NODES}"}], "server": {"port": "${PORT:-9000}"}}""");

    assertThat(config.nodes()).hasSize(3);
    assertThat(config.server().port()).isEqualTo(9000);
  }

  @Test
  void anUnsetVariableIsNamed() {
    assertThat(TestConfig.mistakes("{\"agent\": {\"identity\": \"${WHO}\"}}"))
        .containsExactly(
            "/agent/identity: \"${WHO}\" names the environment variable WHO, which is not set; set"
                + " it, or write ${WHO:-default}");
  }

  @Test
  void aBrokenReferenceIsRefused() {
    assertThat(TestConfig.mistakes("{\"agent\": {\"identity\": \"${1x}\"}}"))
        .containsExactly(
            "/agent/identity: \"${1x}\" must name variables as ${NAME} or ${NAME:-default}; $${"
                + " stands for ${ itself");
  }

  @Test
  void twoDollarsKeepAReferenceAsItIs() {
    assertThat(load(Map.of(), "{\"agent\": {\"identity\": \"$${NODE_NAME}\"}}").agent().identity())
        .isEqualTo("${NODE_NAME}");
  }

  @Test
  void theDataDirectoryFollowsTheUser() {
    assertThat(load(Map.of("XDG_STATE_HOME", "/state"), "{}").agent().dataDir())
        .isEqualTo(Path.of("/state/vertlet"));
    assertThat(load(Map.of(), "{\"agent\": {\"dataDir\": \"~/v\"}}").agent().dataDir())
        .isEqualTo(Path.of("/home/me/v"));
  }
}
