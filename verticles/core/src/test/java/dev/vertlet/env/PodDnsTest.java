package dev.vertlet.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.NetworkView.DnsOption;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.testing.EnvPods;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodDnsTest {
  private static final ResolvConf HOST =
      new ResolvConf(List.of("192.0.2.53"), List.of("corp.example"), List.of("edns0"));
  private static final DnsSettings CLUSTER =
      new DnsSettings("cluster.local", List.of("10.96.0.10"), HOST);
  private static final ResolvConf IN_CLUSTER =
      new ResolvConf(
          List.of("10.96.0.10"),
          List.of("ns.svc.cluster.local", "svc.cluster.local", "cluster.local", "corp.example"),
          List.of("ndots:5"));

  private static PodView pod(String policy, boolean hostNetwork) {
    return pod(policy, hostNetwork, List.of(), List.of());
  }

  private static PodView pod(
      String policy,
      boolean hostNetwork,
      List<String> nameservers,
      List<String> searches,
      DnsOption... options) {
    NetworkView network =
        new NetworkView(
            "", "", null, false, policy, nameservers, searches, List.of(options), List.of());
    return EnvPods.named("p", hostNetwork, network);
  }

  private static PodDns of(PodView pod, DnsSettings settings) {
    return PodDns.of(pod, settings, List.of("192.0.2.1", "2001:db8::1"));
  }

  static Stream<Arguments> policies() {
    return Stream.of(
        Arguments.of("C31 ClusterFirst", pod("ClusterFirst", false), IN_CLUSTER),
        Arguments.of("C31 ClusterFirst, host network", pod("ClusterFirst", true), HOST),
        Arguments.of(
            "C31 ClusterFirstWithHostNet", pod("ClusterFirstWithHostNet", true), IN_CLUSTER),
        Arguments.of("C31 Default", pod("Default", false), HOST),
        Arguments.of("C31 None", pod("None", false), ResolvConf.EMPTY),
        Arguments.of(
            "C31 None with a configuration of its own",
            pod("None", false, List.of("192.0.2.9"), List.of("x"), new DnsOption("ndots", "1")),
            new ResolvConf(List.of("192.0.2.9"), List.of("x"), List.of("ndots:1"))),
        Arguments.of(
            "C31 what the pod adds comes after the policy's, an option instead of it",
            pod(
                "ClusterFirst",
                false,
                List.of("192.0.2.9", "10.96.0.10"),
                List.of("x", "cluster.local"),
                new DnsOption("ndots", "2"),
                new DnsOption("rotate", null)),
            new ResolvConf(
                List.of("10.96.0.10", "192.0.2.9"),
                List.of(
                    "ns.svc.cluster.local",
                    "svc.cluster.local",
                    "cluster.local",
                    "corp.example",
                    "x"),
                List.of("ndots:2", "rotate"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("policies")
  @Tag("C31")
  void aPolicySaysWhereNamesAreLookedUp(String row, PodView pod, ResolvConf expected) {
    assertThat(of(pod, CLUSTER)).isEqualTo(new PodDns(expected, List.of()));
  }

  @Test
  @Tag("C31")
  void c31WithoutServersOfTheClusterItIsAsForDefaultAndSaid() {
    PodDns dns = of(pod("ClusterFirst", false), new DnsSettings("cluster.local", List.of(), HOST));

    assertThat(dns.config()).isEqualTo(HOST);
    assertThat(dns.warnings())
        .containsExactly(
            new PodDns.Warning(
                "MissingClusterDNS",
                "pod: \"p_ns(uid-p)\". kubelet does not have ClusterDNS IP configured and cannot"
                    + " create Pod using \"ClusterFirst\" policy. Falling back to \"Default\""
                    + " policy."));
  }

  @Test
  @Tag("C31")
  void c31AHostThatTellsNothingIsItsOwnNameServer() {
    DnsSettings silent = new DnsSettings("", List.of("10.96.0.10"), ResolvConf.EMPTY);
    PodView pod = pod("Default", false);

    assertThat(of(pod, silent).config())
        .isEqualTo(new ResolvConf(List.of("127.0.0.1", "::1"), List.of("."), List.of()));
    assertThat(PodDns.of(pod, silent, List.of()).config().nameservers())
        .containsExactly("127.0.0.1");
    assertThat(of(pod("ClusterFirst", false), silent).config())
        .isEqualTo(new ResolvConf(List.of("10.96.0.10"), List.of(), List.of("ndots:5")));
  }

  @Test
  @Tag("C31")
  void c31OfTooManyServersTheFirstThreeCount() {
    List<String> five = List.of("1", "2", "3", "4", "5");
    PodDns dns = of(pod("None", false, five, List.of()), CLUSTER);

    assertThat(dns.config().nameservers()).containsExactly("1", "2", "3");
    assertThat(dns.warnings())
        .containsExactly(
            new PodDns.Warning(
                "DNSConfigForming",
                "Nameserver limits were exceeded, some nameservers have been omitted, the applied"
                    + " nameserver line is: 1 2 3"));
  }

  @Test
  @Tag("C31")
  void c31OfTooManyDomainsThirtyTwoCount() {
    List<String> many = IntStream.range(0, 33).mapToObj(i -> "d" + i).toList();
    PodDns dns = of(pod("None", false, List.of(), many), CLUSTER);

    assertThat(dns.config().searches()).isEqualTo(many.subList(0, 32));
    assertThat(dns.warnings())
        .containsExactly(
            new PodDns.Warning(
                "DNSConfigForming",
                "Search Line limits were exceeded, some search paths have been omitted, the"
                    + " applied search line is: "
                    + String.join(" ", many.subList(0, 32))));
  }

  @Test
  @Tag("C31")
  void c31ALineOfDomainsHasItsLimitAndSoHasADomain() {
    List<String> fitting = IntStream.range(0, 10).mapToObj(i -> i + "d".repeat(252)).toList();
    List<String> domains = new ArrayList<>(fitting);
    domains.add(0, "x".repeat(254));
    PodDns dns = of(pod("None", false, List.of(), domains), CLUSTER);

    // eight of 253 characters and the seven spaces between them are 2031
    assertThat(dns.config().searches()).isEqualTo(fitting.subList(0, 8));
    assertThat(dns.warnings()).hasSize(1);
  }

  @Test
  @Tag("C31")
  void c31AFileIsReadAsAKubeletReadsIt() {
    ResolvConf read =
        ResolvConf.parse(
            List.of(
                "# comment",
                "",
                "nameserver 192.0.2.1",
                "search first.example",
                "\tnameserver  2001:db8::53 ",
                "nameserver",
                "search corp.example. . other.example",
                "options ndots:2 rotate",
                "options ndots:3",
                "sortlist 192.0.2.0"));

    assertThat(read)
        .isEqualTo(
            new ResolvConf(
                List.of("192.0.2.1", "2001:db8::53"),
                List.of("corp.example", "other.example"),
                List.of("ndots:3", "rotate")));
  }
}
