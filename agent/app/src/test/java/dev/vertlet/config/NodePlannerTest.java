package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.config.node.PodRanges;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.EvictionSignal;
import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.eviction.Threshold;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.sources.NodeSources;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodePlannerTest {
  private static NodeSpec first(String node) {
    return TestConfig.load("{\"nodes\": [" + node + "]}").nodeSpecs().get(0);
  }

  private static ImageGcOptions images(String node) {
    return TestConfig.load("{\"nodes\": [" + node + "]}").nodes().get(0).imageGc();
  }

  private static List<String> mistakes(String nodes) {
    return TestConfig.mistakes("{\"nodes\": [" + nodes + "]}");
  }

  @Test
  void aNodeHasVirtualKubeletsLabelsAndTaint() {
    NodeSpec node = first("{\"name\": \"edge\"}");

    assertThat(node.labels())
        .isEqualTo(
            Map.of(
                "type", "virtual-kubelet",
                "kubernetes.io/os", "linux",
                "kubernetes.io/arch", "amd64",
                "kubernetes.io/hostname", "edge"));
    assertThat(node.taints())
        .containsExactly(new TaintView("virtual-kubelet.io/provider", "simulated", "NoSchedule"));
    assertThat(node.addresses())
        .containsExactly(new NodeAddressView("InternalIP", TestConfig.HOST.address()));
    assertThat(node.podCidr()).isEqualTo(new PodRanges("10.128.0.0/9", 18).take("edge"));
  }

  @Test
  void ownLabelsStandAboveTheDefaultsAndAnEmptyTaintListMeansNone() {
    NodeSpec node = first("{\"labels\": {\"type\": \"mine\", \"a.b/c\": \"\"}, \"taints\": []}");

    assertThat(node.labels()).containsEntry("type", "mine").containsEntry("a.b/c", "");
    assertThat(node.taints()).isEmpty();
  }

  @Test
  void nodeInfoNamesVersionsAndKeepsItsIdsOverRestarts() {
    Map<String, String> info = first("{\"name\": \"a\"}").nodeInfo();

    assertThat(info.get("kubeletVersion")).startsWith("v1.36.3-vertlet-0.");
    assertThat(info.get("containerRuntimeVersion")).startsWith("vertlet://0.");
    assertThat(info).containsEntry("osImage", "Debian").containsEntry("kernelVersion", "6.1");
    assertThat(first("{\"name\": \"a\"}").nodeInfo()).isEqualTo(info);
    assertThat(first("{\"name\": \"b\"}").nodeInfo().get("bootID"))
        .isNotEqualTo(info.get("bootID"));
  }

  @Test
  void allocatableIsCapacityWithoutWhatIsReserved() {
    NodeSpec node =
        first(
            """
            {"capacity": {"cpu": 8, "memory": "16Gi", "example.com/gpu": "2"},
             "kubeReserved": {"cpu": "500m", "memory": "1Gi", "pid": "1000"},
             "systemReserved": {"cpu": "500m"}}\
            """);

    assertThat(node.capacity())
        .isEqualTo(
            Map.of(
                "cpu", "8",
                "memory", "16Gi",
                "pods", "10k",
                "ephemeral-storage", "256Gi",
                "example.com/gpu", "2"));
    assertThat(node.allocatable())
        .containsEntry("cpu", "7")
        .containsEntry("memory", "15Gi")
        .containsEntry("pods", "10k")
        .doesNotContainKey("pid");
  }

  @Test
  void allocatableLeavesFreeWhatEvictionKeepsFree() {
    NodeSpec node =
        first(
            """
            {"capacity": {"memory": "16Gi", "ephemeral-storage": "100Gi"},
             "kubeReserved": {"memory": "1Gi"},
             "evictionHard": {"memory.available": "1Gi", "nodefs.available": "12.5%"}}\
            """);

    assertThat(node.allocatable())
        .containsEntry("memory", "14Gi")
        .containsEntry("ephemeral-storage", "89600Mi");
  }

  @Test
  void thresholdsAreChecked() {
    assertThat(
            mistakes(
                """
                {"evictionHard": {"disk.free": "1Gi", "memory.available": "101%",
                                  "nodefs.available": "some"}}\
                """))
        .containsExactlyInAnyOrder(
            "/nodes/0/evictionHard/disk.free: \"1Gi\" unknown eviction signal disk.free; it must be"
                + " one of memory.available, nodefs.available, nodefs.inodesFree,"
                + " imagefs.available, imagefs.inodesFree, pid.available",
            "/nodes/0/evictionHard/memory.available: \"101%\" must be from 0% to 100%, or a"
                + " quantity",
            "/nodes/0/evictionHard/nodefs.available: \"some\" failed to parse quantity \"some\" for"
                + " \"ephemeral-storage\" resource");
  }

  @Test
  void softThresholdsNeedAGracePeriod() {
    assertThat(
            mistakes(
                """
                {"evictionSoft": {"memory.available": "1Gi", "pid.available": "0"},
                 "evictionSoftGracePeriod": {"pid.available": "1m", "disk": "1s"},
                 "evictionMinimumReclaim": {"imagefs.free": "1Gi"}}\
                """))
        .containsExactlyInAnyOrder(
            "/nodes/0/evictionSoft/memory.available: \"1Gi\" grace period must be specified for the"
                + " soft eviction threshold memory.available",
            "/nodes/0/evictionSoft/pid.available: \"0\" must be positive",
            "/nodes/0/evictionSoftGracePeriod/disk: \"1s\" unknown eviction signal disk; it must be"
                + " one of memory.available, nodefs.available, nodefs.inodesFree,"
                + " imagefs.available, imagefs.inodesFree, pid.available",
            "/nodes/0/evictionMinimumReclaim/imagefs.free: \"1Gi\" unknown eviction signal"
                + " imagefs.free; it must be one of memory.available, nodefs.available,"
                + " nodefs.inodesFree, imagefs.available, imagefs.inodesFree, pid.available");
  }

  @Test
  void imagesAreRemovedAsOnAKubeletUnlessToldOtherwise() {
    assertThat(images("{}")).isEqualTo(ImageGcOptions.DEFAULTS);
    assertThat(
            images(
                """
                {"imageGCHighThresholdPercent": 90, "imageGCLowThresholdPercent": 60,
                 "imageMinimumGCAge": "1m", "imageMaximumGCAge": "24h"}\
                """))
        .isEqualTo(new ImageGcOptions(90, 60, Duration.ofMinutes(1), Duration.ofHours(24)));
    assertThat(mistakes("{\"imageGCHighThresholdPercent\": 70}"))
        .containsExactly(
            "/nodes/0/imageGCLowThresholdPercent: 80 must not be above"
                + " imageGCHighThresholdPercent, which is 70");
    assertThat(mistakes("{\"imageMaximumGCAge\": \"1m\"}"))
        .singleElement()
        .asString()
        .contains("/nodes/0/imageMaximumGCAge", "must be longer than imageMinimumGCAge, or 0s");
  }

  @Test
  void evictionIsAsOnAKubeletUnlessToldOtherwise() {
    assertThat(eviction("{}")).isEqualTo(EvictionOptions.DEFAULTS);
    assertThat(eviction("{\"evictionHard\": {}}").thresholds()).isEmpty();

    EvictionOptions told =
        eviction(
            """
            {"evictionHard": {"pid.available": "5%", "nodefs.inodesFree": "0%"},
             "evictionSoft": {"memory.available": "1Gi"},
             "evictionSoftGracePeriod": {"memory.available": "90s"},
             "evictionMinimumReclaim": {"memory.available": "500Mi"},
             "evictionMaxPodGracePeriod": 20, "evictionPressureTransitionPeriod": "30s"}\
            """);

    assertThat(told.thresholds())
        .containsExactlyInAnyOrder(
            threshold(EvictionSignal.PID_AVAILABLE, "5%", 0, null),
            threshold(EvictionSignal.MEMORY_AVAILABLE, "1Gi", 90, "500Mi"));
    assertThat(told.maxPodGrace()).isEqualTo(Duration.ofSeconds(20));
    assertThat(told.transitionPeriod()).isEqualTo(Duration.ofSeconds(30));
  }

  private static Threshold threshold(
      EvictionSignal signal, String value, long grace, @Nullable String more) {
    return Threshold.parse(signal, value, Duration.ofSeconds(grace), more).orElseThrow();
  }

  private static EvictionOptions eviction(String template) {
    return TestConfig.load("{\"nodes\": [" + template + "]}").nodes().get(0).eviction();
  }

  @ParameterizedTest(name = "c50 {0}: {1}")
  @CsvSource({
    "cpu,    -1, 'resource quantity for \"cpu\" cannot be negative: -1'",
    "gpu,    1,  'cannot reserve \"gpu\" resource; it must be one of cpu, memory,"
        + " ephemeral-storage, pid'",
    "memory, x,  'failed to parse quantity \"x\" for \"memory\" resource'"
  })
  @Tag("C50")
  void c50ReservationsThatCannotBeAreRefusedInTheKubeletsWords(
      String resource, String amount, String message) {
    assertThat(mistakes("{\"kubeReserved\": {\"%s\": \"%s\"}}".formatted(resource, amount)))
        .containsExactly(
            "/nodes/0/kubeReserved/%s: \"%s\" %s".formatted(resource, amount, message));
  }

  @Test
  @Tag("C50")
  void reservationsAreRefusedInTheKubeletsWords() {
    assertThat(
            mistakes(
                """
                {"kubeReserved": {"pods": "1", "cpu": "-1", "memory": "much"},
                 "systemReserved": {"ephemeral-storage": "1Ti"}}\
                """))
        .containsExactlyInAnyOrder(
            "/nodes/0/kubeReserved/pods: \"1\" cannot reserve \"pods\" resource; it must be one of"
                + " cpu, memory, ephemeral-storage, pid",
            "/nodes/0/kubeReserved/cpu: \"-1\" resource quantity for \"cpu\" cannot be negative:"
                + " -1",
            "/nodes/0/kubeReserved/memory: \"much\" failed to parse quantity \"much\" for"
                + " \"memory\" resource",
            "/nodes/0: kubeReserved, systemReserved and evictionHard take 1Ti of ephemeral-storage,"
                + " and capacity.ephemeral-storage is 256Gi");
  }

  @Test
  void namesAreNumberedAndMustNotMeet() {
    List<NodeSpec> nodes =
        TestConfig.load("{\"nodes\": [{\"name\": \"${ZONE:-z1}-{i}\", \"count\": 3}]}").nodeSpecs();

    assertThat(nodes).extracting(NodeSpec::name).containsExactly("z1-0", "z1-1", "z1-2");
    assertThat(mistakes("{\"name\": \"n-{i}\", \"count\": 3}, {\"name\": \"n-2\"}"))
        .containsExactly("/nodes/1/name: \"n-2\" names \"n-2\", which /nodes/0 names too");
  }

  @Test
  void namesFitTheHostnameLabel() {
    String name = "a".repeat(62) + "{i}";

    assertThat(mistakes("{\"name\": \"" + name + "\", \"count\": 11}"))
        .singleElement()
        .asString()
        .contains("must be at most 63 characters, as the label kubernetes.io/hostname")
        .endsWith("has 64");
  }

  @Test
  void unknownProvidersListWhatThereIs() {
    assertThat(mistakes("{\"provider\": \"docker\"}"))
        .containsExactly(
            "/nodes/0/provider: \"docker\" is not a provider; available: simulated, cri, process,"
                + " remote, stages");
  }

  @Test
  void nodesOfThisHostHaveItsCapacityWhereTheConfigurationHasNone() {
    NodeSpec node = first("{\"provider\": \"process\", \"capacity\": {\"pods\": \"7\"}}");

    assertThat(node.capacity())
        .containsEntry("cpu", String.valueOf(Runtime.getRuntime().availableProcessors()))
        .containsEntry("pods", "7");
    assertThat(node.allocatable()).containsKey("memory");
  }

  @Test
  void labelsTaintsAndAddressesAreChecked() {
    assertThat(
            mistakes(
                """
                {"labels": {"a/b/c": "x", "ok": "-"}, "annotations": {"": "x"},
                 "taints": [{"key": "k", "effect": "NoExecute"},
                            {"key": "k", "value": "v", "effect": "NoExecute"}],
                 "addresses": [{"type": "InternalIP", "address": "300.1.1.1"},
                               {"type": "ExternalIP", "address": "2001:db8::1"},
                               {"type": "Hostname", "address": "Upper"}]}\
                """))
        .hasSize(6)
        .anyMatch(line -> line.startsWith("/nodes/0/labels/a~1b~1c: the key: "))
        .anyMatch(line -> line.startsWith("/nodes/0/labels/ok: \"-\" must be a label value: "))
        .anyMatch(line -> line.startsWith("/nodes/0/annotations/: the key: "))
        .anyMatch(line -> line.startsWith("/nodes/0/taints/1/key: \"k\" is in the list already"))
        .anyMatch(line -> line.startsWith("/nodes/0/addresses/2/address: \"Upper\" must be a "))
        .contains("/nodes/0/addresses/0/address: \"300.1.1.1\" must be an IPv4 or IPv6 address");
  }

  /** Huge pages are part of the memory and no longer there for others. */
  @Test
  void hugePagesAreTakenOffTheMemoryThatPodsMayUse() {
    NodeSpec node =
        first(
            """
            {"capacity": {"memory": "8Gi", "hugepages-2Mi": "1Gi", "hugepages-1Gi": "2Gi"},
             "evictionHard": {"memory.available": "1Gi"}}\
            """);

    assertThat(node.capacity())
        .containsEntry("memory", "8Gi")
        .containsEntry("hugepages-2Mi", "1Gi");
    assertThat(node.allocatable())
        .containsEntry("memory", "4Gi")
        .containsEntry("hugepages-1Gi", "2Gi");
  }

  @Test
  void nodesOfOneBlockGetSlicesOfTheirOwn() {
    List<NodeSpec> nodes =
        TestConfig.load(
                """
                {"nodes": [
                  {"name": "a-{i}", "count": 2, "podCIDR": "10.200.0.0/16"},
                  {"name": "b", "podCIDR": "10.200.0.0/16", "capacity": {"pods": "300"}},
                  {"name": "c", "podCIDR": "10.201.0.0/16", "podCIDRMask": 20}]}\
                """)
            .nodeSpecs();

    assertThat(nodes.subList(0, 3))
        .extracting(NodeSpec::podCidr)
        .doesNotHaveDuplicates()
        .isSubsetOf("10.200.0.0/18", "10.200.64.0/18", "10.200.128.0/18", "10.200.192.0/18");
    assertThat(nodes.get(3).podCidr()).startsWith("10.201.").endsWith(".0/20");
  }

  /** Two agents on one cluster, or one on each of its machines. */
  @Test
  void nodesOfAgentsThatKnowNothingOfEachOtherHaveOtherSlices() {
    Set<String> slices = new HashSet<>();
    for (String name : List.of("machine-1", "machine-2", "machine-3", "edge")) {
      slices.add(first("{\"name\": \"" + name + "\"}").podCidr());
    }
    assertThat(slices).hasSize(4);
  }

  @Test
  void aNodeKeepsItsSliceWhereverItStandsInTheConfiguration() {
    String alone = first("{\"name\": \"edge\"}").podCidr();
    List<NodeSpec> nodes =
        TestConfig.load("{\"nodes\": [{\"name\": \"n{i}\", \"count\": 5}, {\"name\": \"edge\"}]}")
            .nodeSpecs();

    assertThat(nodes.get(5).podCidr()).isEqualTo(alone);
  }

  @Test
  void podBlocksMustHaveRoomAndNotOverlap() {
    assertThat(
            mistakes(
                """
                {"name": "a-{i}", "count": 300, "podCIDR": "10.200.0.0/16"},
                {"name": "b", "podCIDR": "10.0.0.0/8"},
                {"name": "c", "podCIDR": "10.250.1.0/16"},
                {"name": "d", "podCIDR": "fd00::/64"},
                {"name": "e", "podCIDR": "192.168.0.0/26", "capacity": {"pods": 110}},
                {"name": "f", "podCIDR": "172.16.0.0/16", "podCIDRMask": 26},
                {"name": "g", "podCIDR": "172.16.0.0/16", "podCIDRMask": 25},
                {"name": "h", "podCIDR": "172.17.0.0/16", "podCIDRMask": 12}\
                """))
        .containsExactlyInAnyOrder(
            "/nodes/0/podCIDR: \"10.200.0.0/16\" has room for 256 nodes with a /24 each, and 300"
                + " nodes take their pods' addresses from it; use a wider block or a longer"
                + " podCIDRMask",
            "/nodes/1/podCIDR: \"10.0.0.0/8\" overlaps \"10.200.0.0/16\" of /nodes/0/podCIDR;"
                + " blocks must be equal or apart",
            "/nodes/2/podCIDR: \"10.250.1.0/16\" must begin with the first address of its block:"
                + " \"10.250.0.0/16\"",
            "/nodes/3/podCIDR: \"fd00::/64\" must be an IPv4 block such as \"10.200.0.0/16\"",
            "/nodes/4/podCIDR: \"192.168.0.0/26\" leaves 61 addresses to a node with a /26, and"
                + " capacity.pods is 110",
            "/nodes/6/podCIDRMask: 25 must be 26, as in the other templates with podCIDR"
                + " \"172.16.0.0/16\"",
            "/nodes/7/podCIDRMask: 12 must not be shorter than the prefix of podCIDR"
                + " \"172.17.0.0/16\"");
  }

  @Test
  void fiveThousandNodesFitTheDefaultBlock() {
    List<NodeSpec> nodes =
        TestConfig.load("{}", ConfigOverride.parse("nodes.0.count=5000")).nodeSpecs();

    assertThat(nodes).extracting(NodeSpec::podCidr).doesNotHaveDuplicates().hasSize(5000);
    assertThat(nodes).allSatisfy(n -> assertThat(n.podCidr()).startsWith("10.").endsWith("/22"));
    assertThat(nodes).allSatisfy(n -> assertThat(n.capacity()).containsEntry("pods", "1021"));
    assertThat(nodes).allSatisfy(n -> assertThat(n.allocatable()).containsEntry("pods", "1021"));
  }

  @Test
  void nodesHaveAsManyPodsAsTheirSliceHasAddressesUnlessTheySayHowMany() {
    assertThat(pods("{\"count\": 512}")).containsOnly("10k");
    assertThat(pods("{\"count\": 513}")).containsOnly("8189");
    assertThat(pods("{\"count\": 32768}")).containsOnly("253");
    assertThat(pods("{\"podCIDR\": \"192.168.0.0/26\"}")).containsExactly("61");
    assertThat(pods("{\"podCIDRMask\": 23}")).containsExactly("509");
    assertThat(
            pods(
                """
                {"name": "a{i}", "count": 600, "capacity": {"pods": 2000}}, {"name": "b"}\
                """))
        .containsOnly("2k", "8189")
        .hasSize(601);
  }

  private static List<String> pods(String templates) {
    return TestConfig.load("{\"nodes\": [" + templates + "]}").nodeSpecs().stream()
        .map(node -> node.capacity().get("pods"))
        .toList();
  }

  @Test
  void staticPodsOfANodeComeFromPlacesThatItsNameMayBePartOf() {
    List<NodeSources> sources =
        TestConfig.load(
                """
                {"nodes": [{"name": "edge-{i}", "count": 2, "staticPodPath": "/pods/{node}",
                  "staticPodURL": "https://example.com/{i}/{node}?x=1"}, {"name": "plain"}]}\
                """)
            .nodes()
            .stream()
            .map(ConfiguredNode::sources)
            .toList();

    assertThat(sources)
        .containsExactly(
            new NodeSources(
                "edge-0", Path.of("/pods/edge-0"), URI.create("https://example.com/0/edge-0?x=1")),
            new NodeSources(
                "edge-1", Path.of("/pods/edge-1"), URI.create("https://example.com/1/edge-1?x=1")),
            NodeSources.none("plain"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pods",
        "http://a b",
        "ftp://example.com/pods",
        "http:///pods",
        "https://example.com/{name}",
        "https://example.com:65536/pods",
        "https://me:secret@example.com/pods"
      })
  void theUrlOfStaticPodsIsOne(String url) {
    assertThat(mistakes("{\"staticPodURL\": \"" + url + "\"}"))
        .containsExactly(
            "/nodes/0/staticPodURL: \""
                + url
                + "\" must be an http or https URL without user and password, such as"
                + " \"https://example.com/pods/{node}\"");
  }

  @Test
  void theUrlOfTheLastNodeIsCheckedToo() {
    String node =
        "{\"name\": \"n{i}\", \"count\": %d, \"staticPodURL\": \"http://localhost:6553{i}\"}";
    assertThat(mistakes(node.formatted(7)))
        .singleElement()
        .asString()
        .startsWith("/nodes/0/staticPodURL: \"http://localhost:6553{i}\" must be");
    assertThat(TestConfig.load("{\"nodes\": [" + node.formatted(6) + "]}").nodes()).hasSize(6);
  }

  @Test
  void thePathOfStaticPodsIsOne() {
    assertThat(mistakes("{\"staticPodPath\": \"/pods/\\u0000\"}"))
        .singleElement()
        .asString()
        .startsWith("/nodes/0/staticPodPath: \"/pods/\\u0000\" must be a path");
  }
}
