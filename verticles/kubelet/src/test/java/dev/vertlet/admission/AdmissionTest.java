package dev.vertlet.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PlacementView.HostPort;
import dev.vertlet.model.pod.PlacementView.Requirement;
import dev.vertlet.model.pod.PlacementView.Term;
import dev.vertlet.model.pod.PlacementView.Toleration;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.SecurityView;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Spec §7: reasons and messages, and which of several counts. */
class AdmissionTest {
  private static final long GI = 1L << 30;

  private static final NodeFacts NODE =
      node(
          Map.of(
              "cpu", "4",
              "memory", "8Gi",
              "ephemeral-storage", "10Gi",
              "pods", "3",
              "example.com/gpu", "2",
              "hugepages-2Mi", "4Mi"),
          Map.of("zone", "a", "rank", "5"),
          List.of());

  private static NodeFacts node(
      Map<String, String> has, Map<String, String> labels, List<TaintView> taints) {
    NodeStatusView status =
        new NodeStatusView(has, has, List.of(), List.of(), Map.of("operatingSystem", "linux"), 0);
    return NodeFacts.of(new NodeView("n1", "u", 1, labels, Map.of(), taints, false, status));
  }

  private static Pods pod(PlacementView placement) {
    return Pods.pod().placement(placement);
  }

  private static Pods asking(PodRequests requests) {
    return pod(Placements.asking(requests).build());
  }

  private static Pods cpu(long milli) {
    return asking(new PodRequests(milli, 0, 0, Map.of()));
  }

  private static PlacementView affinity(Term... terms) {
    return Placements.anywhere().affinity(terms).build();
  }

  private static PlacementView ports(HostPort... ports) {
    return Placements.anywhere().ports(ports).build();
  }

  private static Pods secured(SecurityView security) {
    return pod(PlacementView.NONE.withSecurity(security));
  }

  private static SecurityView setting(boolean hostIpc, String... sysctls) {
    return new SecurityView(List.of(sysctls), hostIpc, false, false);
  }

  private static NodePolicy allowing(String... sysctls) {
    return new NodePolicy(true, true, true, true, List.of(sysctls), false);
  }

  private static String line(NodePolicy policy, Pods pod) {
    return line(Admission.check(NODE, policy, NodeStrain.NONE, new NodeLedger(), pod.build()));
  }

  private static String line(NodeFacts node, NodeLedger used, Pods pod) {
    return line(Admission.check(node, NodePolicy.DEFAULTS, NodeStrain.NONE, used, pod.build()));
  }

  private static String line(NodeStrain strain, Pods pod) {
    return line(Admission.check(NODE, NodePolicy.DEFAULTS, strain, new NodeLedger(), pod.build()));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "kernel.shm_rmid_forced, -, -",
        "net/ipv4/tcp_syncookies, -, -",
        "kernel.msgmax, -, '\"kernel.msgmax\" not allowlisted'",
        "kernel/msgmax, -, '\"kernel.msgmax\" not allowlisted'",
        "kernel.msgmax, kernel.msg*, -",
        "kernel.msgmax, kernel.msgmax, -",
        "net.core.somaxconn, net.core.*, -",
        "net.core.somaxconn, net.ipv4.*, '\"net.core.somaxconn\" not allowlisted'",
        "fs.mqueue.msg_max, fs.mqueue.*, -",
      })
  void onlySafeAndAllowedSysctlsMayBeSet(
      String sysctl, @Nullable String allowed, @Nullable String problem) {
    NodePolicy policy = allowed == null ? NodePolicy.DEFAULTS : allowing(allowed);

    assertThat(line(policy, secured(setting(false, sysctl))))
        .isEqualTo(problem == null ? "" : "SysctlForbidden: forbidden sysctl: " + problem);
  }

  @Test
  void aPodInTheNamespacesOfItsNodeMayNotSetWhatTheseShare() {
    assertThat(line(allowing("kernel.sem"), secured(setting(true, "kernel.sem"))))
        .isEqualTo(
            "SysctlForbidden: forbidden sysctl: \"kernel.sem\" not allowed with host IPC enabled");
    assertThat(line(allowing("kernel.sem"), secured(setting(false, "kernel.sem")))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "kernel.msg*, -",
        "net.ipv4.*, -",
        "net/ipv4/conf/eno2.100/rp_filter, -",
        "kernel.pid_max, 'the sysctls \"kernel.pid_max\" are not known to be namespaced'",
        "Kernel.msgmax, 'sysctl \"Kernel.msgmax\" must have at most 253 characters and match regex"
            + " ([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]'",
      })
  void saysWhichSysctlsCannotBeAllowed(String pattern, @Nullable String problem) {
    assertThat(Sysctls.problem(pattern).orElse(null)).isEqualTo(problem);
  }

  @Test
  void refusesPodsThatNeedStrictGroupsUnlessItsNodeSaysThatItHasThem() {
    Pods strict = secured(new SecurityView(List.of(), false, true, false));
    NodeStatusView status = status(new RuntimeFeatures(true, false, false, false));
    NodeFacts able =
        NodeFacts.of(new NodeView("n1", "u", 1, Map.of(), Map.of(), List.of(), false, status));

    assertThat(line(NodePolicy.DEFAULTS, strict))
        .isEqualTo(
            "SupplementalGroupsPolicyNotSupported: SupplementalGroupsPolicy=Strict is not"
                + " supported in this node");
    assertThat(line(able, new NodeLedger(), strict)).isEmpty();
  }

  private static NodeStatusView status(RuntimeFeatures features) {
    Map<String, String> has = Map.of("cpu", "4", "pods", "3");
    return new NodeStatusView(
        has,
        has,
        List.of(),
        List.of(),
        Map.of("operatingSystem", "linux"),
        0,
        List.of(),
        features,
        null);
  }

  @Test
  void refusesPodsThatAppArmorConfinesWhereThereIsNone() {
    Pods confined = secured(new SecurityView(List.of(), false, false, true));
    String key = "container.apparmor.security.beta.kubernetes.io/c";
    String refusal = "AppArmor: Cannot enforce AppArmor: AppArmor is not enabled on the host";

    assertThat(line(NodePolicy.DEFAULTS, confined)).isEqualTo(refusal);
    assertThat(line(NodePolicy.DEFAULTS, Pods.pod().annotation(key, "runtime/default")))
        .isEqualTo(refusal);
    assertThat(line(NodePolicy.DEFAULTS, Pods.pod().annotation(key, "unconfined"))).isEmpty();
    assertThat(line(NodePolicy.DEFAULTS.on(RuntimeFeatures.ALL), confined)).isEmpty();
  }

  @Test
  void refusesPodsWithResourcesOfTheirOwnWhereTheGateIsOff() {
    ResourcesView own = new ResourcesView(Map.of("cpu", "1"), Map.of());
    Pods pod = pod(PlacementView.NONE.withWhole(own));
    NodePolicy off = new NodePolicy(true, true, false, true, List.of(), false);

    assertThat(line(off, pod))
        .isEqualTo("PodLevelResourcesNotSupported: PodLevelResources feature gate is disabled");
    assertThat(line(NodePolicy.DEFAULTS, pod)).isEmpty();
  }

  /** In the order of a kubelet's handlers. */
  @Test
  void ofSeveralReasonsTheFirstHandlersCounts() {
    PlacementView tooBig = Placements.asking(new PodRequests(9000, 0, 0, Map.of())).build();
    Pods all =
        pod(tooBig.withSecurity(new SecurityView(List.of("kernel.msgmax"), false, true, true)));
    Pods confined = pod(tooBig.withSecurity(new SecurityView(List.of(), false, false, true)));

    assertThat(line(NodePolicy.DEFAULTS, all)).startsWith("SysctlForbidden");
    assertThat(line(allowing("kernel.msgmax"), all))
        .startsWith("SupplementalGroupsPolicyNotSupported");
    assertThat(line(NodePolicy.DEFAULTS, confined)).startsWith("OutOfcpu");
  }

  private static Rejection refusal(NodeLedger used, Pods pod) {
    return Objects.requireNonNull(
        Admission.check(NODE, NodePolicy.DEFAULTS, NodeStrain.NONE, used, pod.build()));
  }

  private static String line(@Nullable Rejection rejection) {
    return rejection == null ? "" : rejection.reason() + ": " + rejection.message();
  }

  static Stream<Arguments> amounts() {
    String enough = "Node didn't have enough resource: ";
    return Stream.of(
        Arguments.of("fits exactly", new PodRequests(3000, 7 * GI, 9 * GI, Map.of()), ""),
        Arguments.of("nothing", PodRequests.NONE, ""),
        Arguments.of(
            "c39 cpu",
            new PodRequests(3001, 99 * GI, 0, Map.of()),
            "OutOfcpu: " + enough + "cpu, requested: 3001, used: 1000, capacity: 4000"),
        Arguments.of(
            "memory",
            new PodRequests(0, 8 * GI, 99 * GI, Map.of()),
            "OutOfmemory: "
                + enough
                + "memory, requested: 8589934592, used: 1073741824, capacity: 8589934592"),
        Arguments.of(
            "ephemeral-storage",
            new PodRequests(0, 0, 10 * GI, Map.of("example.com/gpu", 9L)),
            "OutOfephemeral-storage: "
                + enough
                + "ephemeral-storage, requested: 10737418240, used: 1073741824,"
                + " capacity: 10737418240"),
        Arguments.of(
            "extended",
            new PodRequests(0, 0, 0, Map.of("example.com/gpu", 2L)),
            "OutOfexample.com/gpu: "
                + enough
                + "example.com/gpu, requested: 2, used: 1, capacity: 2"),
        Arguments.of(
            "extended resource unknown to the node",
            new PodRequests(1, 0, 0, Map.of("example.com/tape", 2L)),
            ""),
        Arguments.of(
            "huge pages the node has not",
            new PodRequests(0, 0, 0, Map.of("hugepages-1Gi", GI)),
            "OutOfhugepages-1Gi: "
                + enough
                + "hugepages-1Gi, requested: 1073741824, used: 0, capacity: 0"));
  }

  @ParameterizedTest(name = "7 resources: {0}")
  @MethodSource("amounts")
  @Tag("C39")
  void refusesWhatIsTooMuch(String name, PodRequests asked, String expected) {
    NodeLedger used = new NodeLedger();
    PodRequests before = new PodRequests(1000, GI, GI, Map.of("example.com/gpu", 1L));
    used.add(Placements.asking(before).build());

    assertThat(line(NODE, used, asking(asked))).isEqualTo(expected);
  }

  @Test
  @Tag("C40")
  void c40CountsPodsBeforeAllElse() {
    NodeLedger used = new NodeLedger();
    for (int i = 0; i < 3; i++) {
      used.add(PlacementView.NONE);
    }

    Rejection rejection = refusal(used, cpu(9000));
    assertThat(line(rejection))
        .isEqualTo(
            "OutOfpods: Node didn't have enough resource: pods, requested: 1, used: 3, capacity:"
                + " 3");
    assertThat(rejection.statusMessage()).startsWith("Pod was rejected: Node didn't have");

    used.remove(PlacementView.NONE);
    assertThat(line(NODE, used, Pods.pod())).isEmpty();
  }

  @Test
  void aNodeThatHasNotSaidWhatItHasTakesAll() {
    NodeFacts fresh = node(Map.of(), Map.of(), List.of());

    assertThat(line(fresh, new NodeLedger(), asking(new PodRequests(9000, GI, 0, Map.of()))))
        .isEmpty();
  }

  @Test
  void whatIsRemovedIsFreeAgain() {
    NodeLedger used = new NodeLedger();
    PlacementView all =
        Placements.asking(new PodRequests(4000, 8 * GI, 10 * GI, Map.of("example.com/gpu", 2L)))
            .ports(new HostPort("", "TCP", 80))
            .build();
    used.add(all);
    assertThat(line(NODE, used, pod(all))).isNotEmpty();
    used.remove(all);
    assertThat(line(NODE, used, pod(all))).isEmpty();
    assertThat(used.pods()).isZero();
  }

  @ParameterizedTest(name = "7 affinity: {0} {1} {2} is {3}")
  @CsvSource({
    "zone, In, a|b, true",
    "zone, In, b, false",
    "none, In, b, false",
    "zone, NotIn, b, true",
    "zone, NotIn, a, false",
    "none, NotIn, a, true",
    "zone, Exists, '', true",
    "none, Exists, '', false",
    "zone, DoesNotExist, '', false",
    "none, DoesNotExist, '', true",
    "rank, Gt, 4, true",
    "rank, Gt, 5, false",
    "rank, Lt, 6, true",
    "rank, Lt, 5, false",
    "rank, Lt, six, false",
    "zone, Gt, 4, false",
    "none, Gt, 4, false",
    "rank, Gt, 1|2, false",
    "zone, Like, a, false"
  })
  void readsRequirements(String key, String operator, String values, boolean fits) {
    List<String> all = values.isEmpty() ? List.of() : List.of(values.split("\\|", -1));
    PlacementView wants =
        affinity(new Term(List.of(new Requirement(key, operator, all)), List.of()));

    assertThat(line(NODE, new NodeLedger(), pod(wants)))
        .isEqualTo(
            fits
                ? ""
                : "NodeAffinity: Predicate NodeAffinity failed: node(s) didn't match Pod's node"
                    + " affinity/selector");
  }

  @Test
  void oneTermOfSeveralIsEnoughAndAnEmptyOneFitsNothing() {
    Term no = new Term(List.of(new Requirement("zone", "In", List.of("z"))), List.of());
    Term name = new Term(List.of(), List.of(new Requirement("metadata.name", "In", List.of("n1"))));
    Term empty = new Term(List.of(), List.of());
    NodeLedger used = new NodeLedger();

    assertThat(line(NODE, used, pod(affinity(no, name)))).isEmpty();
    assertThat(line(NODE, used, pod(affinity(no, empty)))).isNotEmpty();
  }

  @Test
  @Tag("C41")
  void c41OnlyAWrongLabelMayHaveBeenMendedSince() {
    HostPort port = new HostPort("", "TCP", 80);
    Pods wants = pod(Placements.anywhere().ports(port).selector(Map.of("zone", "b")).build());
    NodeLedger used = new NodeLedger();
    assertThat(refusal(used, wants).onlyLabels()).isTrue();

    used.add(ports(port));
    Rejection rejection = refusal(used, wants);
    assertThat(rejection.reason()).isEqualTo("NodeAffinity");
    assertThat(rejection.onlyLabels()).isFalse();
  }

  @ParameterizedTest(name = "7 ports: {0}:{1}/{2} beside {3}:{4}/{5}: conflict {6}")
  @CsvSource({
    "'', 80, TCP, '', 80, TCP, true",
    "'', 80, '', '', 80, TCP, true",
    "'', 80, TCP, '', 81, TCP, false",
    "'', 80, UDP, '', 80, TCP, false",
    "10.0.0.1, 80, TCP, '', 80, TCP, true",
    "'', 80, TCP, 10.0.0.1, 80, TCP, true",
    "10.0.0.1, 80, TCP, 10.0.0.2, 80, TCP, false",
    "10.0.0.1, 80, TCP, 10.0.0.1, 80, TCP, true"
  })
  void comparesPortsOfTheNode(
      String ip, int port, String protocol, String ip2, int port2, String protocol2, boolean no) {
    NodeLedger used = new NodeLedger();
    used.add(ports(new HostPort(ip, protocol, port)));

    assertThat(line(NODE, used, pod(ports(new HostPort(ip2, protocol2, port2)))))
        .isEqualTo(
            no
                ? "NodePorts: Predicate NodePorts failed: node(s) didn't have free ports for the"
                    + " requested pod ports"
                : "");
  }

  @ParameterizedTest(name = "7 taint k=v:{0}, toleration {1} {2} {3} {4}: borne {5}")
  @CsvSource({
    "NoExecute, -, -, -, -, false",
    "NoSchedule, -, -, -, -, true",
    "NoExecute, k, Equal, v, NoExecute, true",
    "NoExecute, k, '', v, '', true",
    "NoExecute, k, Equal, w, NoExecute, false",
    "NoExecute, k, Exists, '', NoExecute, true",
    "NoExecute, k, Exists, '', NoSchedule, false",
    "NoExecute, '', Exists, '', '', true",
    "NoExecute, other, Exists, '', '', false",
    "NoExecute, k, Gt, v, '', false"
  })
  void onlyTaintsThatEvictCount(
      String effect, String key, String operator, String value, String tolerated, boolean borne) {
    NodeFacts tainted = node(Map.of(), Map.of(), List.of(new TaintView("k", "v", effect)));
    Placements wants = Placements.anywhere();
    if (!key.equals("-")) {
      wants.tolerating(new Toleration(key, operator, value, tolerated));
    }
    Pods pod = pod(wants.build());
    assertThat(line(tainted, new NodeLedger(), pod))
        .isEqualTo(
            borne
                ? ""
                : "TaintToleration: Predicate TaintToleration failed: node(s) had taints that the"
                    + " pod didn't tolerate");
    // a static pod bears all
    pod.annotation("kubernetes.io/config.source", "file");
    assertThat(line(tainted, new NodeLedger(), pod)).isEmpty();
  }

  @Test
  void refusesAnotherOperatingSystemBeforeAllElse() {
    PodRequests asked = new PodRequests(9000, 0, 0, Map.of());
    Pods windows = pod(Placements.asking(asked).os("windows").build());
    NodeLedger used = new NodeLedger();

    assertThat(line(NODE, used, windows))
        .isEqualTo("PodOSNotSupported: Failed to admit pod as the OS field doesn't match node OS");
    assertThat(line(NODE, used, windows.labels(Map.of("kubernetes.io/os", "windows"))))
        .isEqualTo(
            "PodOSSelectorNodeLabelDoesNotMatch: Failed to admit pod as the `kubernetes.io/os`"
                + " label doesn't match node label");
  }

  @ParameterizedTest
  @CsvSource({"4000, 8, ''", "4001, 8, Infeasible", "4000, 9, Infeasible"})
  void aPodMayGrowToAllThatItsNodeHas(long milliCpu, long gibibytes, String reason) {
    PodRequests asked = new PodRequests(milliCpu, gibibytes * GI, 0, Map.of());
    Rejection rejection =
        Admission.resize(
            NODE, NodePolicy.DEFAULTS, NodeStrain.NONE, new NodeLedger(), asking(asked).build());
    assertThat(rejection == null ? "" : rejection.reason()).isEqualTo(reason);
  }

  static Stream<Arguments> pressed() {
    PlacementView asks = Placements.asking(new PodRequests(1, 0, 0, Map.of())).build();
    PlacementView bears =
        Placements.anywhere()
            .tolerating(
                new Toleration("node.kubernetes.io/memory-pressure", "Exists", "", "NoSchedule"))
            .build();
    String evicted = "Evicted: The node had condition: [";
    return Stream.of(
        Arguments.of("memory", PlacementView.NONE, 0, evicted + "MemoryPressure]. "),
        Arguments.of("memory", asks, 0, ""),
        Arguments.of("memory", bears, 0, ""),
        Arguments.of("memory", PlacementView.NONE, 2_000_000_000, ""),
        Arguments.of("disk", asks, 1_999_999_999, evicted + "DiskPressure]. "),
        Arguments.of("disk", bears, 0, evicted + "DiskPressure]. "),
        Arguments.of("pid", asks, 0, evicted + "PIDPressure]. "),
        Arguments.of("pid", asks, 2_000_001_000, ""),
        Arguments.of("disk memory", asks, 0, evicted + "MemoryPressure DiskPressure]. "));
  }

  /** C43: who is let in to a node that is short of something. */
  @ParameterizedTest(name = "c43 {0}, {2}: {3}")
  @MethodSource("pressed")
  @Tag("C43")
  void c43ANodeUnderPressureTakesWhatAKubeletTakes(
      String pressures, PlacementView wants, int priority, String refusal) {
    Set<Pressure> set = EnumSet.noneOf(Pressure.class);
    for (String pressure : pressures.split(" ")) {
      set.add(Pressure.valueOf(pressure.toUpperCase(Locale.ROOT)));
    }

    assertThat(line(new NodeStrain(set, false), pod(wants).priority(priority))).isEqualTo(refusal);
  }

  @Test
  void aNodeThatGoesDownTakesNobody() {
    assertThat(line(NodeStrain.NONE.inShutdown(), Pods.pod().priority(2_000_000_000)))
        .isEqualTo("NodeShutdown: Pod was rejected as the node is shutting down.");
  }
}
