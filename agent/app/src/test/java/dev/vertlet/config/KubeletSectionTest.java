package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.problem.Problem;
import dev.vertlet.server.PortRange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KubeletSectionTest {
  private static LoadedConfig load(String file, String... flags) {
    return new ConfigLoader(TestConfig.environment(Map.of()))
        .parse("f.json", file, Stream.of(flags).map(ConfigOverride::parse).toList());
  }

  private static List<String> pods(LoadedConfig config) {
    return config.config().nodeSpecs().stream()
        .map(node -> String.valueOf(node.capacity().get("pods")))
        .toList();
  }

  private static List<String> mistakes(String file, String... flags) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, () -> load(file, flags));
    return refused.problems().stream().map(Problem::toString).toList();
  }

  @Test
  void itsFieldsHoldForEveryNode() {
    LoadedConfig config =
        load(
            """
            {"kubelet": {"kind": "KubeletConfiguration",
                         "apiVersion": "kubelet.config.k8s.io/v1beta1",
                         "maxPods": 50, "syncFrequency": "30s", "nodeLeaseDurationSeconds": 8,
                         "authentication": {"anonymous": {"enabled": true}}},
             "nodes": [{"name": "a-{i}", "count": 2}, {"name": "b"}]}\
            """);

    assertThat(pods(config)).containsExactly("50", "50", "50");
    assertThat(config.config().pods().syncFrequency()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.config().lease())
        .isEqualTo(new LeaseOptions(true, Duration.ofSeconds(8), Duration.ofSeconds(2)));
    assertThat(config.config().server().authentication().anonymous()).isTrue();
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void itsFieldsHoldForTheNodeThatIsThereWithoutAList() {
    assertThat(pods(load("{\"kubelet\": {\"maxPods\": 50}}"))).containsExactly("50");
  }

  @Test
  void whatTheFileSaysItselfStandsAboveItsSection() {
    LoadedConfig config =
        load(
            """
            {"kubelet": {"maxPods": 50, "syncFrequency": "30s", "nodeLeaseDurationSeconds": 8},
             "pods": {"syncFrequency": "10s"}, "lease": {"duration": "20s"},
             "nodes": [{"name": "a", "capacity": {"pods": 20}}, {"name": "b"}]}\
            """);

    assertThat(pods(config)).containsExactly("20", "50");
    assertThat(config.config().pods().syncFrequency()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.config().lease())
        .isEqualTo(new LeaseOptions(true, Duration.ofSeconds(20), Duration.ofSeconds(5)));
  }

  @Test
  void aFlagStandsAboveWhatTheFileSaysAnywhere() {
    String file =
        """
        {"kubelet": {"maxPods": 50}, "lease": {"duration": "20s", "renewInterval": "9s"},
         "nodes": [{"name": "a", "capacity": {"pods": 20}}]}\
        """;

    assertThat(pods(load(file, "kubelet.maxPods=7"))).containsExactly("7");
    assertThat(load(file, "kubelet.nodeLeaseDurationSeconds=12").config().lease())
        .isEqualTo(new LeaseOptions(true, Duration.ofSeconds(12), Duration.ofSeconds(3)));
    assertThat(load(file, "kubelet={\"maxPods\": 8}").config().nodeSpecs())
        .singleElement()
        .satisfies(node -> assertThat(node.capacity()).containsEntry("pods", "8"));
  }

  @Test
  void ofFlagsTheOneForThePlaceItselfCounts() {
    assertThat(pods(load("{}", "nodes.0.capacity.pods=9", "kubelet.maxPods=7")))
        .containsExactly("9");
  }

  @Test
  void aFlagStandsAboveTheEnvironment() {
    VertletConfig config =
        new ConfigLoader(TestConfig.environment(Map.of("VERTLET_PODS_SYNC_FREQUENCY", "10s")))
            .parse("f.json", "{}", List.of(ConfigOverride.parse("kubelet.syncFrequency=20s")))
            .config();

    assertThat(config.pods().syncFrequency()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void onePortIsThatOfOneNodeAndTheFirstOfMany() {
    assertThat(load("{\"kubelet\": {\"port\": 20250}}").config().server().portRange())
        .isEqualTo(new PortRange(20_250, 20_250));
    assertThat(
            load("{\"kubelet\": {\"port\": 20250}, \"nodes\": [{\"count\": 3}]}")
                .config()
                .server()
                .portRange())
        .isEqualTo(new PortRange(20_250, 20_318));
  }

  @Test
  void theSwitchOfTheLogHandlerStandsAboveTheDirectory() {
    LoadedConfig config =
        load(
            """
            {"kubelet": {"enableSystemLogHandler": false},
             "server": {"logDirectory": "/var/log"}}\
            """);

    assertThat(config.config().server().logDirectory()).isEmpty();
  }

  @Test
  void whatMeansNothingHereIsNamed() {
    assertThat(load("{\"kubelet\": {\"cgroupDriver\": \"systemd\"}}").warnings())
        .containsExactly("kubelet: ignored, as it means nothing here: cgroupDriver");
  }

  @Test
  void mistakesNameTheField() {
    assertThat(
            mistakes(
                """
                {"kubelet": {"kind": "Pod", "maxPod": 3, "maxPods": "many", "syncFrequency": "0.1ms",
                             "readOnlyPort": 70000, "nonsense": {"a": 1}}}\
                """))
        .containsExactlyInAnyOrder(
            "/kubelet/kind: \"Pod\" must be \"KubeletConfiguration\", or not be there",
            "/kubelet/maxPod: unknown key; did you mean \"maxPods\"?",
            "/kubelet/maxPods: \"many\" must be a whole number of 32 bits",
            "/kubelet/syncFrequency: \"0.1ms\" must be from \"1s\" to \"24h\"",
            "/kubelet/readOnlyPort: 70000 must be a whole number from 0 to 65535",
            "/kubelet/nonsense: unknown key; must be a field of a KubeletConfiguration v1beta1");
    assertThat(mistakes("{\"kubelet\": {\"readOnlyPort\": 70000, \"oomScoreAdj\": -1001}}"))
        .containsExactly(
            "/kubelet/oomScoreAdj: invalid configuration: oomScoreAdj (--oom-score-adj) -1001 must"
                + " be between -1000 and 1000, inclusive",
            "/kubelet/readOnlyPort: invalid configuration: readOnlyPort (--read-only-port) 70000"
                + " must be between 0 and 65535, inclusive");
    assertThat(mistakes("{\"kubelet\": 3}")).containsExactly("/kubelet: 3 must be an object");
    assertThat(mistakes("{\"kubelet\": null}"))
        .containsExactly("/kubelet: null must be an object; leave the key out for its default");
    assertThat(
            mistakes(
                """
                {"kubelet": {"port": 1, "maxPods": 3, "featureGates": {"AllBeta": true}},
                 "nodes": 3, "featureGates": 4, "server": 5}\
                """))
        .containsExactlyInAnyOrder(
            "/nodes: 3 must be a list of node templates",
            "/featureGates: 4 must be an object of true and false such as"
                + " {\"ContainerCheckpoint\": false}",
            "/server: 5 must be an object");
  }

  @Test
  void mistakesNameTheFlag() {
    assertThat(mistakes("{}", "kubelet.nodeLeaseDurationSeconds=5000"))
        .first()
        .asString()
        .startsWith("/kubelet/nodeLeaseDurationSeconds: ")
        .endsWith("(set by --set kubelet.nodeLeaseDurationSeconds)");
  }

  @Test
  void gatesAreTakenOneByOne() {
    LoadedConfig config =
        load(
            """
            {"featureGates": {"ContainerCheckpoint": false, "AllAlpha": true},
             "kubelet": {"featureGates": {"ContainerCheckpoint": true, "EventedPLEG": true,
                                          "KubeletCrashLoopBackOffMax": false}}}\
            """,
            "kubelet.featureGates.KubeletCrashLoopBackOffMax=true");

    FeatureGates gates = config.config().featureGates();
    assertThat(gates.enabled(FeatureGates.CONTAINER_CHECKPOINT)).isFalse();
    assertThat(gates.enabled(FeatureGates.REDUCED_BACK_OFF)).isTrue();
    assertThat(gates.enabled(FeatureGates.BACK_OFF_MAX)).isTrue();
    assertThat(config.config().pods().maxContainerBackOff()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.warnings())
        .containsExactly("featureGates: ignored, as they mean nothing here: EventedPLEG");
  }

  @Test
  void gatesThatNoKubeletHasOrThatAreLockedAreRefused() {
    assertThat(
            mistakes(
                """
                {"featureGates": {"DynamicKubeletConfig": true, "NodeSwap": false},
                 "kubelet": {"featureGates": {"NodeSwap": "no"}}}\
                """))
        .containsExactlyInAnyOrder(
            "/kubelet/featureGates: {\"NodeSwap\":\"no\"} must be an object of true and false",
            "/featureGates/DynamicKubeletConfig: unrecognized feature gate: DynamicKubeletConfig",
            "/featureGates/NodeSwap: cannot set feature gate NodeSwap to false, feature is locked"
                + " to true");
  }

  @Test
  void aGateThatNeedsAnotherOneIsRefusedWithoutItWhereThatWasSet() {
    String problem =
        "RestartAllContainersOnContainerExits is enabled, but depends on features that are"
            + " disabled: [ContainerRestartRules]";

    assertThat(mistakes("{\"featureGates\": {\"ContainerRestartRules\": false}}"))
        .containsExactly("/featureGates/ContainerRestartRules: " + problem);
    assertThat(mistakes("{\"kubelet\": {\"featureGates\": {\"ContainerRestartRules\": false}}}"))
        .containsExactly("/kubelet/featureGates/ContainerRestartRules: " + problem);
    assertThat(
            load("""
            {"featureGates": {"RestartAllContainersOnContainerExits": false},
             "kubelet": {"featureGates": {"ContainerRestartRules": false}}}\
            """)
                .config()
                .featureGates()
                .enabled(FeatureGates.RESTART_RULES))
        .isFalse();
  }

  @Test
  void fieldsAreJudgedByTheGatesThatAreInForce() {
    String field = "\"kubelet\": {\"memoryReservationPolicy\": \"TieredReservation\"}";

    assertThat(load("{\"featureGates\": {\"MemoryQoS\": true}, " + field + "}").warnings())
        .isNotEmpty();
    assertThat(mistakes("{" + field + "}"))
        .containsExactly(
            "/kubelet/memoryReservationPolicy: invalid configuration: memoryReservationPolicy"
                + " \"TieredReservation\" requires MemoryQoS feature gate to be enabled");
  }
}
