package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.auth.Authorization;
import dev.vertlet.server.PortRange;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerConfigTest {
  private static ServerConfig server(String json) {
    return TestConfig.load("{\"server\": " + json + "}").server();
  }

  @Test
  void filesOfCertificatesComeTogether() {
    ServerConfig server =
        server(
            "{\"tls\": {\"tlsCertFile\": \"~/c\", \"tlsPrivateKeyFile\": \"/k\"},"
                + " \"authentication\": {\"clientCAFile\": \"/ca\"},"
                + " \"authorization\": {\"mode\": \"AlwaysAllow\"}}");

    assertThat(server.tls().tlsCertFile()).isEqualTo(Path.of("/home/me/c"));
    assertThat(server.tls().tlsPrivateKeyFile()).isEqualTo(Path.of("/k"));
    assertThat(server.authentication().clientCAFile()).isEqualTo(Path.of("/ca"));
    assertThat(server.authorization().mode()).isEqualTo(Authorization.Mode.ALWAYS_ALLOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"tls\": {\"tlsCertFile\": \"/c\"}} | /server/tls/tlsPrivateKeyFile: \"\" must be given"
            + " with tlsCertFile",
        "{\"tls\": {\"tlsPrivateKeyFile\": \"/k\"}} | /server/tls/tlsCertFile: \"\" must be given"
            + " with tlsPrivateKeyFile",
        "{\"tls\": {\"tlsCertFile\": \"/c\", \"tlsPrivateKeyFile\": \"/k\", \"serverTLSBootstrap\":"
            + " true}} | /server/tls/serverTLSBootstrap: true must be false with tlsCertFile",
        "{\"authentication\": {\"webhookCacheTTL\": \"2h\"}} |"
            + " /server/authentication/webhookCacheTTL: \"2h\" must be from \"0s\" to \"1h\"",
        "{\"authorization\": {\"cacheAuthorizedTTL\": \"61m\"}} |"
            + " /server/authorization/cacheAuthorizedTTL: \"61m\" must be from \"0s\" to \"1h\"",
        "{\"authorization\": {\"cacheUnauthorizedTTL\": \"90m\"}} |"
            + " /server/authorization/cacheUnauthorizedTTL: \"90m\" must be from \"0s\" to \"1h\"",
        "{\"streamCreationTimeout\": \"0s\"} | /server/streamCreationTimeout: \"0s\" must be from"
            + " \"1s\" to \"5m\"",
        "{\"maxRequests\": 0} | /server/maxRequests: 0 must be a whole number from 1 to 100000",
        "{\"maxConnections\": 100001} | /server/maxConnections: 100001 must be a whole number from"
            + " 1 to 100000"
      })
  void whatCannotBeIsNamedWithWhatIsAllowed(String server, String mistake) {
    assertThat(TestConfig.mistakes("{\"server\": " + server + "}")).containsExactly(mistake);
  }

  @Test
  void aCipherSuiteThatIsNotSecureIsRefused() {
    assertThat(
            TestConfig.mistakes(
                "{\"server\": {\"tls\": {\"tlsCipherSuites\": [\"TLS_RSA_WITH_NULL_MD5\"]}}}"))
        .singleElement()
        .asString()
        .startsWith(
            "/server/tls/tlsCipherSuites/0: \"TLS_RSA_WITH_NULL_MD5\" must be one of TLS_AES_");
  }

  @ParameterizedTest
  @CsvSource({"10250, 10250, 10250", "10250-10251, 10250, 10251", "0, 0, 0"})
  void portsAreAPortOrARangeOrAny(String text, int first, int last) {
    assertThat(server("{\"portRange\": \"" + text + "\"}").portRange())
        .isEqualTo(new PortRange(first, last))
        .hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "70000", "2-1", "0-5", "1-2-3", "1-70000", "999999"})
  void whatIsNoRangeIsRefused(String text) {
    assertThat(TestConfig.mistakes("{\"server\": {\"portRange\": \"" + text + "\"}}"))
        .containsExactly(
            "/server/portRange: \""
                + text
                + "\" must be ports such as \"10250-10318\", one port, or 0 for any free one");
  }

  @Test
  void portsOfOtherPartsOfKubernetesAreLeftOutOfARange() {
    assertThat(ServerConfig.of(new JsonObject()).portRange().ports())
        .hasSize(ServerConfig.MOST_PORTS)
        .startsWith(10_250)
        .doesNotContain(10_255, 10_256, 10_257, 10_258, 10_259);
    assertThat(new PortRange(10_255, 10_255).ports()).containsExactly(10_255);
  }

  @Test
  void aRangeHoldsAPortForEachNodeOrAllNodesShareOne() {
    String nodes = "{\"nodes\": [{\"name\": \"n{i}\", \"count\": %d}], \"server\": {%s}}";
    assertThat(TestConfig.mistakes(nodes.formatted(3, "\"portRange\": \"1-2\"")))
        .containsExactly(
            "/server/portRange: \"1-2\" must hold a port for each of the 3 nodes; of several ports"
                + " 10255 to 10259 are left out");
    for (String fine :
        new String[] {
          nodes.formatted(65, "\"portRange\": \"1\""),
          nodes.formatted(3, "\"portRange\": 0"),
          nodes.formatted(3, "\"portRange\": \"1\", \"enableServer\": false")
        }) {
      assertThat(TestConfig.load(fine).nodes()).isNotEmpty();
    }
  }
}
