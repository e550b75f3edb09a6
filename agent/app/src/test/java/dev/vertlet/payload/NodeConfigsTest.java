package dev.vertlet.payload;

import static dev.vertlet.payload.Locals.first;
import static dev.vertlet.payload.Locals.kubelet;
import static dev.vertlet.payload.Locals.load;
import static dev.vertlet.payload.Locals.local;
import static dev.vertlet.payload.Locals.node;
import static dev.vertlet.payload.Locals.vertlet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import dev.vertlet.config.AgentConfig;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.Places;
import dev.vertlet.payload.NodeConfig.Part;
import dev.vertlet.payload.PayloadException.Reason;
import dev.vertlet.problem.IgnoredField;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConfigsTest {
  private static final String TWO = "{\"nodes\": [{\"name\": \"v{i}\", \"count\": 2}]}";

  private static PayloadException refused(LoadedConfig local, Payload payload) {
    PayloadException refused =
        catchThrowableOfType(PayloadException.class, () -> first(local, payload));
    assertThat(refused).as("refused").isNotNull();
    return refused;
  }

  private static List<String> pointers(NodeConfig config) {
    return config.ignored().stream().map(IgnoredField::pointer).toList();
  }

  /** Of what a flag or a variable stands above, a payload changes nothing, and it is told so. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nodes=[{\"name\": \"v0\"}]   | maxPods: 41                       | /maxPods            |"
            + " --set nodes",
        "nodes.0.capacity.pods=7      | maxPods: 41                       | /maxPods            |"
            + " --set nodes.0.capacity.pods",
        "kubelet.maxPods=7            | maxPods: 41                       | /maxPods            |"
            + " --set kubelet.maxPods",
        "lease.duration=20s           | nodeLeaseDurationSeconds: 48      |"
            + " /nodeLeaseDurationSeconds | --set lease.duration",
        "featureGates.ContainerCheckpoint=false | featureGates: {ContainerCheckpoint: true} |"
            + " /featureGates/ContainerCheckpoint | --set featureGates.ContainerCheckpoint",
        "nodes.0.evictionHard={\"pid.available\": \"9%\"} | evictionHard: {memory.available: 1Gi} |"
            + " /evictionHard | --set nodes.0.evictionHard",
        "log.levels.lease=debug       | logging: {vmodule: [{filePattern: lease, verbosity: 6}]} |"
            + " /logging/vmodule | --set log.levels.lease",
        "server.logDirectory= | enableSystemLogHandler: true | /enableSystemLogHandler | --set"
            + " server.logDirectory",
        "server.logDirectory=/tmp     | enableSystemLogHandler: true      |                     |",
        "server.logDirectory=/tmp     | enableSystemLogHandler: false     | /enableSystemLogHandler"
            + " | --set server.logDirectory",
        "nodes.0.capacity.pods=41     | maxPods: 41                       |                     |",
        "pods.syncFrequency=5s        | maxPods: 41                       |                     |"
      })
  void whatAFlagStandsAboveIsListedWithTheFlag(
      String flag, String yaml, @Nullable String pointer, @Nullable String origin) {
    NodeConfig config = first(load(TWO, flag), kubelet(yaml));

    assertThat(config.ignored())
        .isEqualTo(
            pointer == null
                ? List.of()
                : List.of(new IgnoredField(pointer, origin + " stands above it")));
  }

  @Test
  void whatASectionCannotChangeIsListedWithTheReason() {
    LoadedConfig local =
        load(
            TWO,
            "nodes.0.labels.zone=a",
            "nodes.0.taints=[]",
            "agent.shards=2",
            "simulated.seed=9");

    NodeConfig config =
        first(
            local,
            vertlet(
                """
                node: {labels: {zone: b, rack: r1}, taints: [{key: k, effect: NoSchedule}],
                       capacity: {pods: "9", cpu: "4"}}
                kubelet: {maxPods: 41}
                agent: {shards: 3, profile: kubelet}
                provider: {simulated: {seed: 5, rules: [{name: slow}]}}
                """));

    assertThat(config.ignored())
        .containsExactly(
            new IgnoredField("/node/labels/zone", "--set nodes.0.labels.zone stands above it"),
            new IgnoredField("/node/taints", "--set nodes.0.taints stands above it"),
            new IgnoredField(
                "/node/capacity/pods", "the section kubelet of the payload says it, too"),
            new IgnoredField("/agent/shards", "--set agent.shards stands above it"),
            new IgnoredField("/provider/simulated/seed", "--set simulated.seed stands above it"));
  }

  @Test
  @Tag("A22")
  void a22FlagsStandAboveThePayload() {
    NodeConfig config =
        first(load(TWO, "kubelet.maxPods=7", "pods.syncFrequency=5s"), kubelet("maxPods: 50"));

    assertThat(config.node().spec().capacity()).containsEntry("pods", "7");
    assertThat(config.config().pods().syncFrequency()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  @Tag("A23")
  void a23WhatThePayloadLeavesOutTakesItsDefaultNotTheFilesValue() {
    LoadedConfig local =
        load(
            """
            {"pods": {"syncFrequency": "5s"}, "lease": {"duration": "20s", "renewInterval": "3s"},
             "nodes": [{"name": "v{i}", "evictionHard": {"pid.available": "5%"}}]}\
            """);

    NodeConfig config = first(local, kubelet("maxPods: 50"));

    assertThat(config.config().pods().syncFrequency()).isEqualTo(Duration.ofMinutes(1));
    assertThat(config.config().lease().duration()).isEqualTo(Duration.ofSeconds(40));
    assertThat(config.config().lease().renewInterval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.node().eviction().thresholds()).hasSize(5);
  }

  @Test
  @Tag("A23")
  void aPayloadTakesThePlaceOfTheSectionKubelet() {
    LoadedConfig local =
        load(
            """
            {"kubelet": {"maxPods": 40, "syncFrequency": "5s", "nodeLeaseDurationSeconds": 8,
                         "healthzPort": 20248},
             "nodes": [{"name": "v{i}", "count": 2}]}\
            """);
    assertThat(new NodeConfigs(local).local("v0").node().spec().capacity())
        .containsEntry("pods", "40");

    NodeConfig first = first(local, kubelet("nodeLeaseDurationSeconds: 40"));
    NodeConfig second = new NodeConfigs(local).plan(kubelet("eventBurst: 5")).node("v1");

    assertThat(first.node().spec().capacity()).containsEntry("pods", "10k");
    assertThat(first.config().pods().syncFrequency()).isEqualTo(Duration.ofMinutes(1));
    assertThat(first.config().lease().renewInterval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(first.config().server().healthzPort()).isEqualTo(10_248);
    assertThat(second.config().server().healthzPort()).isEqualTo(20_248);
    assertThat(second.node().spec().capacity()).containsEntry("pods", "10k");
  }

  @Test
  void whoAsksForTheLocalLeaseKeepsItsRenewals() {
    LoadedConfig local =
        load(
            """
            {"kubelet": {"nodeLeaseDurationSeconds": 8}, "nodes": [{"name": "v{i}"}]}\
            """);

    assertThat(first(local, kubelet("nodeLeaseDurationSeconds: 8")).config().lease())
        .isEqualTo(local.config().lease());
  }

  @Test
  void theSizeOfLogsChangesWhileTheyAreWritten() {
    LoadedConfig local = load(TWO);

    NodeConfig config = first(local, kubelet("containerLogMaxSize: 1Mi"));

    assertThat(config.config().pods().logBytes()).isEqualTo(1 << 20);
    assertThat(config.changed(new NodeConfigs(local).local(config.node().spec().name())))
        .containsExactly(NodeConfig.Part.LIVE);
    assertThatThrownBy(() -> first(local, kubelet("containerLogMaxSize: much")))
        .hasMessageContaining("/containerLogMaxSize: \"much\" must be a quantity of bytes");
  }

  @Test
  void ofEachFeatureGateTheFlagCountsThenThePayloadThenTheFile() {
    LoadedConfig local =
        load(
            """
            {"featureGates": {"ContainerCheckpoint": false, "AllAlpha": true},
             "kubelet": {"featureGates": {"ReduceDefaultCrashLoopBackOffDecay": true}}}\
            """,
            "kubelet.featureGates.KubeletCrashLoopBackOffMax=true");

    NodeConfig config =
        first(
            local,
            kubelet(
                """
                featureGates: {ContainerCheckpoint: true, KubeletCrashLoopBackOffMax: false,
                               EventedPLEG: true}\
                """));

    assertThat(config.config().featureGates().set())
        .containsOnly(
            entry("AllAlpha", true),
            entry("ContainerCheckpoint", true),
            entry("EventedPLEG", true),
            entry("KubeletCrashLoopBackOffMax", true),
            entry("ReduceDefaultCrashLoopBackOffDecay", true));
    assertThat(pointers(config))
        .containsExactly("/featureGates/KubeletCrashLoopBackOffMax", "/featureGates/EventedPLEG");
    assertThatThrownBy(() -> first(local, kubelet("featureGates: {NodeSwap: false, No: true}")))
        .hasMessage(
            "/featureGates/No: unrecognized feature gate: No; /featureGates/NodeSwap: cannot set"
                + " feature gate NodeSwap to false, feature is locked to true");
  }

  @Test
  void aPayloadIsJudgedByTheGatesThatAreInForceWithIt() {
    LoadedConfig local =
        load(
            TWO,
            "featureGates.ContainerRestartRules=false",
            "featureGates.RestartAllContainersOnContainerExits=false",
            "featureGates.KubeletCrashLoopBackOffMax=false");

    assertThat(
            pointers(
                first(
                    local, kubelet("featureGates: {RestartAllContainersOnContainerExits: true}"))))
        .containsExactly("/featureGates/RestartAllContainersOnContainerExits");
    assertThat(
            refused(local, kubelet("crashLoopBackOff: {maxContainerRestartPeriod: 9s}"))
                .getMessage())
        .isEqualTo(
            "/crashLoopBackOff/maxContainerRestartPeriod: invalid configuration: FeatureGate"
                + " KubeletCrashLoopBackOffMax not enabled,"
                + " CrashLoopBackOff.MaxContainerRestartPeriod must not be set");
  }

  @Test
  void whatNoKubeletHasANameForStaysLocal() {
    LoadedConfig local =
        load(
            """
            {"server": {"portRange": "20000-20009", "maxRequests": 5, "address": "127.0.0.1"},
             "lease": {"enabled": false}, "simulated": {"seed": 9},
             "nodes": [{"name": "v{i}", "labels": {"a": "b"}, "capacity": {"pods": 1000},
                        "taints": []}]}\
            """);

    NodeConfig config = first(local, kubelet("syncFrequency: 30s"));

    assertThat(config.config().server().portRange()).hasToString("20000-20009");
    assertThat(config.config().server().maxRequests()).isEqualTo(5);
    assertThat(config.config().lease().enabled()).isFalse();
    assertThat(config.config().simulated().seed()).isEqualTo(9);
    assertThat(config.node().spec()).isEqualTo(local(local).node().spec());
    assertThat(config.changed(local(local))).containsExactly(Part.LIVE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | ''",
        "syncFrequency: 1m | ''",
        "syncFrequency: 30s | LIVE",
        "kubeAPIQPS: 5 | LIVE",
        "eventRecordQPS: 5 | LIVE",
        "maxPods: 50 | LIVE",
        "kubeReserved: {cpu: 500m} | LIVE",
        "evictionHard: {pid.available: 5%} | LIVE",
        "imageGCHighThresholdPercent: 90 | LIVE",
        "nodeStatusUpdateFrequency: 4s | LIVE",
        "nodeStatusMaxImages: 5 | LIVE",
        "crashLoopBackOff: {maxContainerRestartPeriod: 2s} | LIVE",
        "clusterDNS: [10.0.0.10] | LIVE",
        "nodeLeaseDurationSeconds: 20 | LEASE",
        "staticPodPath: /pods | SOURCES",
        "fileCheckFrequency: 2s | SOURCES",
        "address: 127.0.0.1 | SERVER",
        "enableDebuggingHandlers: false | SERVER",
        "'authentication: {anonymous: {enabled: true}}' | SERVER",
        "'authorization: {webhook: {cacheAuthorizedTTL: 1m}}' | SERVER",
        "contentType: application/json | PROCESS",
        "healthzPort: 0 | PROCESS",
        "shutdownGracePeriod: 30s | PROCESS",
        "'logging: {format: json}' | LOG",
        "'logging: {verbosity: 4}' | LOG",
        "'logging: {vmodule: [{filePattern: lease, verbosity: 6}]}' | LOG",
        "cgroupDriver: systemd | ''"
      })
  void eachFieldConcernsItsPart(String yaml, String part) {
    LoadedConfig local = load(TWO);

    assertThat(first(local, kubelet(yaml)).changed(local(local)))
        .isEqualTo(part.isEmpty() ? Set.of() : Set.of(Part.valueOf(part)));
  }

  @Test
  void aLeaseIsRenewedFourTimesAsOftenAsItEnds() {
    NodeConfig config = first(load(TWO), kubelet("nodeLeaseDurationSeconds: 10"));

    assertThat(config.config().lease().duration()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.config().lease().renewInterval()).isEqualTo(Duration.ofMillis(2500));
  }

  @Test
  void whoAsksForTheLocalDurationGetsTheLocalRenewals() {
    LoadedConfig local = load("{\"lease\": {\"duration\": \"20s\", \"renewInterval\": \"3s\"}}");

    assertThat(first(local, kubelet("nodeLeaseDurationSeconds: 20")).changed(local(local)))
        .isEmpty();
  }

  @Test
  void aPortIsThatOfTheNode() {
    assertThat(first(load(TWO), kubelet("port: 10300")).port()).isEqualTo(10_300);
    assertThat(first(load(TWO), kubelet("")).port()).isZero();
  }

  @Test
  void aGracePeriodOfTheShutdownEndsThePods() {
    AgentConfig agent = first(load(TWO), kubelet("shutdownGracePeriod: 30s")).config().agent();

    assertThat(agent.drainOnShutdown()).isTrue();
    assertThat(agent.shutdownTimeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void noSystemLogsAreServedWhereThePayloadSaysSo() {
    LoadedConfig local = load("{\"server\": {\"logDirectory\": \"/var/log\"}}");

    assertThat(first(local, kubelet("enableSystemLogHandler: true")).config().server())
        .extracting("logDirectory")
        .isEqualTo("/var/log");
    assertThat(first(local, kubelet("enableSystemLogHandler: false")).config().server())
        .extracting("logDirectory")
        .isEqualTo("");
  }

  @Test
  @Tag("A68")
  void a68WhatMeansNothingHereIsListedAndShown() {
    NodeConfig config =
        first(load(TWO), kubelet("cgroupDriver: systemd\nmemorySwap: {swapBehavior: NoSwap}"));

    assertThat(pointers(config)).containsExactly("/cgroupDriver", "/memorySwap/swapBehavior");
    assertThat(config.unused())
        .isEqualTo(
            new JsonObject()
                .put("cgroupDriver", "systemd")
                .put("memorySwap", new JsonObject().put("swapBehavior", "NoSwap")));
  }

  @Test
  @Tag("A70")
  void a70OnlyThePrimaryNodeConfiguresTheProcess() {
    LoadedConfig local = load(TWO);
    Payload payload =
        vertlet(
            "agent: {shards: 2}\nkubelet: {contentType: application/json, port: 9999, maxPods: 9}\n"
                + "provider: {simulated: {seed: 5, rules: [{name: slow}]}, settings: {}}\n");

    NodeConfig other = node(local, 1, payload);

    assertThat(other.config().agent()).isEqualTo(local.config().agent());
    assertThat(other.changed(new NodeConfigs(local).local("v1"))).containsExactly(Part.LIVE);
    assertThat(pointers(other))
        .containsExactly(
            "/kubelet/contentType",
            "/agent/shards",
            "/provider/simulated/seed",
            "/provider/settings");
    assertThat(other.port()).isEqualTo(9999);
    assertThat(other.config().simulated().rules()).hasSize(1);
    assertThat(node(local, 0, payload).port()).isEqualTo(9999);
    assertThat(node(local, 0, payload).config().agent().shards()).isEqualTo(2);
    assertThat(node(local, 0, payload).ignored()).isEmpty();
  }

  @Test
  void whereNodesShareAPortTheFirstOneSaysHowItIsServed() {
    LoadedConfig local = load("{\"nodes\": [{\"name\": \"v{i}\", \"count\": 65}]}");
    Payload payload = kubelet("port: 9999\nenableDebuggingHandlers: false");

    NodeConfig other = node(local, 1, payload);

    assertThat(pointers(other)).containsExactly("/port", "/enableDebuggingHandlers");
    assertThat(other.port()).isZero();
    assertThat(other.changed(new NodeConfigs(local).local("v1"))).isEmpty();
    assertThat(node(local, 0, payload).port()).isEqualTo(9999);
    assertThat(node(local, 0, payload).ignored()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubeAPIQPS: -1 | /kubeAPIQPS: invalid configuration: kubeAPIQPS (--kube-api-qps) -1 must"
            + " not be a negative number",
        "'featureGates: {ContainerRestartRules: false}' | /featureGates/ContainerRestartRules:"
            + " RestartAllContainersOnContainerExits is enabled, but depends on features that are"
            + " disabled: [ContainerRestartRules]",
        "'logging: {vmodule: [{filePattern: lease}, {verbosity: 1}]}' | /logging/vmodule/1:"
            + " logging.vmodule[1]: Required value: File pattern must not be empty",
        "'logging: {verbosity: 4000000000}' | /logging/verbosity: logging.verbosity: Invalid value:"
            + " 4000000000: Must be <= 2147483647",
        "'registerWithTaints: [{key: k, effect: Never}]' | /registerWithTaints/0: invalid taint: {k"
            + "  Never <nil>}",
        "qosReserved: {a/b: 5%} | /qosReserved/a~1b: --qos-reserved value failed to parse: cannot"
            + " reserve \"a/b\" resource",
        "syncFrequency: 1ms | /syncFrequency: \"1ms\" must be from \"1s\" to \"24h\"",
        "evictionHard: {disk: 5%} | /evictionHard/disk: \"5%\" unknown eviction signal disk",
        "kubeReserved: {cpu: '99'} | kubeReserved, systemReserved and evictionHard take 99 of cpu",
        "tlsMinVersion: VersionTLS99 | /tlsMinVersion: \"VersionTLS99\" must be one of",
        "contentType: text/html | /contentType: \"text/html\" must be one of",
        "imageGCLowThresholdPercent: 90 | /imageGCLowThresholdPercent: invalid configuration:"
            + " imageGCLowThresholdPercent (--image-gc-low-threshold) 90 must be less than"
            + " imageGCHighThresholdPercent (--image-gc-high-threshold) 85",
        "imageGCHighThresholdPercent: 80 | /imageGCHighThresholdPercent: invalid configuration:"
            + " imageGCLowThresholdPercent (--image-gc-low-threshold) 80 must be less than"
            + " imageGCHighThresholdPercent (--image-gc-high-threshold) 80",
        "systemCgroups: /x | /systemCgroups: invalid configuration: systemCgroups"
            + " (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified"
      })
  @Tag("A14")
  void a14BrokenRulesAreTold(String yaml, String problem) {
    PayloadException refused = refused(load(TWO), kubelet(yaml));

    assertThat(refused.reason()).isEqualTo(Reason.VALIDATE);
    assertThat(refused).hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node: {capacity: 5} | /node/capacity: 5 must be",
        "'provider: {simulated: {rulez: []}}' | /provider/simulated/rulez: unknown key",
        "'provider: {simulated: {rules: [{startt: 1s}]}}' | /provider/simulated/rules/0/startt:"
            + " unknown key",
        "agent: {shards: two} | /agent/shards: \"two\" must be a whole number"
      })
  @Tag("A21")
  void a21WhatTheSchemaRefusesCannotBeLoaded(String yaml, String problem) {
    PayloadException refused = refused(load(TWO), vertlet(yaml));

    assertThat(refused.reason()).isEqualTo(Reason.LOAD);
    assertThat(refused).hasMessageContaining(problem);
  }

  @Test
  void aVertletConfigurationReplacesAllSections() {
    LoadedConfig local =
        load(
            """
            {"nodes": [{"name": "v{i}", "count": 2, "labels": {"a": "b"}}],
             "simulated": {"seed": 9}, "agent": {"dataDir": "/data", "shards": 3}}\
            """);

    NodeConfig config =
        first(local, vertlet("node: {capacity: {cpu: 2}}\nprovider: {simulated: {seed: 5}}\n"));

    assertThat(config.node().spec().labels()).doesNotContainKey("a");
    assertThat(config.node().spec().capacity()).containsEntry("cpu", "2");
    assertThat(config.config().simulated().seed()).isEqualTo(5);
    assertThat(config.config().agent().shards()).isEqualTo(1);
    assertThat(config.config().agent().dataDir()).hasToString("/data");
    assertThat(config.changed(local(local))).containsExactlyInAnyOrder(Part.LIVE, Part.PROCESS);
  }

  @Test
  void aPayloadReadsNothingOfTheEnvironment() {
    NodeConfig config =
        first(load(TWO), vertlet("node: {annotations: {leak: '${SECRET}', plain: '$x'}}\n"));

    assertThat(config.node().spec().annotations())
        .containsEntry("leak", "${SECRET}")
        .containsEntry("plain", "$x");
  }

  @Test
  void aNodeKeepsTheAddressesOfItsPods() {
    LoadedConfig local = load("{\"nodes\": [{\"name\": \"v{i}\", \"count\": 3}]}");

    NodeConfig config = node(local, 2, kubelet("maxPods: 5000"));

    assertThat(config.node().spec().capacity()).containsEntry("pods", "5k");
    assertThat(config.node().spec().podCidr())
        .isEqualTo(local.config().nodes().get(2).spec().podCidr());
  }

  @Test
  void theDefaultsOfAKubeletAreTheDefaults() {
    LoadedConfig local = load(TWO);
    String hard =
        """
        evictionHard:
          memory.available: 100Mi
          nodefs.available: 10%
          nodefs.inodesFree: 5%
          imagefs.available: 15%
          imagefs.inodesFree: 5%
        """;

    assertThat(first(local, kubelet(hard)).changed(local(local))).isEmpty();
  }

  /** The schema of the local configuration knows each place that a field sets. */
  @Test
  void everyPlaceIsThere() {
    LoadedConfig local = load(TWO);

    for (KubeletField field : KubeletFields.all().values()) {
      if (!field.place().isEmpty()) {
        JsonObject document = local.file();
        Places.put(
            document,
            dev.vertlet.problem.Pointers.tokens(field.place().replace("/-", "/0")),
            new io.vertx.core.json.JsonArray().add(new io.vertx.core.json.JsonArray()));
        assertThat(local.malformed(document))
            .as(field.name())
            .noneMatch(mistake -> mistake.allowed().startsWith("unknown key"));
      }
    }
  }
}
