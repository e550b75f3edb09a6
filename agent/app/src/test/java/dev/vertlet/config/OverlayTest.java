package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.vertlet.config.process.Environment;
import dev.vertlet.provider.node.NodeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverlayTest {
  @Test
  void aPathReachesIntoListsAndMakesWhatIsMissing() {
    VertletConfig config =
        TestConfig.load(
            "{}",
            ConfigOverride.parse("nodes.0.count=2"),
            ConfigOverride.parse("nodes.1.name=solo"),
            ConfigOverride.parse("nodes.1.capacity.cpu=4"),
            ConfigOverride.parse("nodes.1.labels.example\\.com/zone=a"),
            ConfigOverride.parse("simulated.rules=[{\"name\": \"r\", \"runFor\": \"3s\"}]"));

    assertThat(config.nodeSpecs())
        .extracting(NodeSpec::name)
        .containsExactly("host-1-v0", "host-1-v1", "solo");
    assertThat(config.nodeSpecs().get(2).capacity()).containsEntry("cpu", "4");
    assertThat(config.nodeSpecs().get(2).labels()).containsEntry("example.com/zone", "a");
    assertThat(config.simulated().rules()).hasSize(1);
  }

  /**
   * Loggers, labels and signals of eviction have dots in their names, and nothing is below them.
   */
  @Test
  void theRestOfAPathIsOneKeyWhereKeysAreFree() {
    VertletConfig config =
        TestConfig.load(
            "{}",
            ConfigOverride.parse("log.levels.dev.vertlet.lease=debug"),
            ConfigOverride.parse("log.levels.io\\.vertx=warn"),
            ConfigOverride.parse("nodes.0.labels.example.com/zone=a"),
            ConfigOverride.parse("nodes.0.capacity.example.com/gpu=2"));

    assertThat(config.log().levels())
        .isEqualTo(
            Map.of("dev.vertlet.lease", LogConfig.Level.DEBUG, "io.vertx", LogConfig.Level.WARN));
    NodeSpec node = config.nodeSpecs().get(0);
    assertThat(node.labels()).containsEntry("example.com/zone", "a");
    assertThat(node.capacity()).containsEntry("example.com/gpu", "2");
    assertThat(TestConfig.mistakes("{}", ConfigOverride.parse("log.levels.dev.vertlet=loud")))
        .containsExactly(
            "/log/levels/dev.vertlet: \"loud\" must be one of \"error\", \"warn\", \"info\","
                + " \"debug\", \"trace\" (set by --set log.levels.dev.vertlet)");
  }

  @Test
  void nullGoesBackToTheDefault() {
    VertletConfig config =
        TestConfig.load(
            "{\"lease\": {\"duration\": \"20s\"}}", ConfigOverride.parse("lease.duration=null"));

    assertThat(config.lease().duration()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void aNumberStaysTextWhereTextIsWanted() {
    assertThat(TestConfig.load("{}", ConfigOverride.parse("agent.identity=42")).agent().identity())
        .isEqualTo("42");
  }

  @Test
  void aPlaceThatCannotBeSetIsAMistake() {
    assertThat(
            TestConfig.mistakes(
                "{\"nodes\": [{}], \"log\": {\"level\": \"info\"}}",
                ConfigOverride.parse("nodes.2.count=1"),
                ConfigOverride.parse("log.level.x=1"),
                ConfigOverride.parse("lease.dration=1s")))
        .containsExactly(
            "/nodes/2: is no place to set: the list takes indexes from 0 to 1 (set by --set"
                + " nodes.2.count)",
            "/lease/dration: unknown key; did you mean \"duration\"? (set by --set lease.dration)",
            "/log/level: is no place to set: it holds no object and no list (set by --set"
                + " log.level.x)");
  }

  @Test
  void anOptionWithoutAPathIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfigOverride.parse("lease"))
        .withMessage("\"lease\" must be path=value, for example lease.duration=20s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConfigOverride.parse("lease..duration=1s"))
        .withMessage("\"lease..duration\" must be keys with single dots between them");
  }

  @Test
  void variablesFollowTheKeys() {
    assertThat(EnvironmentSettings.variable(List.of("lease", "renewInterval")))
        .isEqualTo("VERTLET_LEASE_RENEW_INTERVAL");
    assertThat(EnvironmentSettings.variable(List.of("kubernetes", "kubeAPIQPS")))
        .isEqualTo("VERTLET_KUBERNETES_KUBE_APIQPS");
    assertThat(EnvironmentSettings.variable(List.of("kubernetes", "kubeAPIBurst")))
        .isEqualTo("VERTLET_KUBERNETES_KUBE_API_BURST");
  }

  @Test
  void anEmptyVariableSetsNothing() {
    Environment environment = TestConfig.environment(Map.of("VERTLET_LOG_LEVEL", ""));

    assertThat(new ConfigLoader(environment).parse("f", "{}", List.of()).config().log())
        .isEqualTo(new LogConfig(LogConfig.Level.INFO, LogConfig.Format.TEXT, Map.of()));
  }
}
