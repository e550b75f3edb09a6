package dev.vertlet.provider.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.testing.EnvPods;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostNameTest {
  private static final String LONG = "a".repeat(70);

  private static HostName of(
      String pod, String hostname, String subdomain, @Nullable String override, boolean whole) {
    NetworkView network =
        new NetworkView(
            hostname,
            subdomain,
            override,
            whole,
            "ClusterFirst",
            List.of(),
            List.of(),
            List.of(),
            List.of());
    return HostName.of(EnvPods.named(pod, false, network), "cluster.local");
  }

  @ParameterizedTest(name = "C31 pod {0}, hostname {1}, subdomain {2}, override {3}, whole {4}")
  @CsvSource({
    "web,,,, false, web,, web",
    "web, h,,, false, h,, h",
    "web,, sub,, false, web, sub.ns.svc.cluster.local, web",
    "web, h, sub,, true, h, sub.ns.svc.cluster.local, h.sub.ns.svc.cluster.local",
    "web, h,,, true, h,, h",
    "web, h, sub, other.name, true, other.name,, other.name"
  })
  @Tag("C31")
  void theNameFollowsFromWhatThePodSays(
      String pod,
      @Nullable String hostname,
      @Nullable String subdomain,
      @Nullable String override,
      boolean whole,
      String expected,
      @Nullable String domain,
      String nodename) {
    assertThat(of(pod, text(hostname), text(subdomain), override, whole))
        .isEqualTo(new HostName(expected, text(domain), nodename));
  }

  private static String text(@Nullable String cell) {
    return cell == null ? "" : cell;
  }

  @Test
  @Tag("C31")
  void c31ALongNameIsCutToSixtyThreeCharactersWithoutADashAtItsEnd() {
    assertThat(of(LONG, "", "sub", null, false))
        .isEqualTo(new HostName("a".repeat(63), "sub.ns.svc.cluster.local", "a".repeat(63)));
    String dashes = "a".repeat(61) + "-." + "b".repeat(7);
    assertThat(of(dashes, "", "", null, false).hostname()).isEqualTo("a".repeat(61));
    assertThat(of("p", "", "", "x." + LONG, false).hostname()).isEqualTo("x." + "a".repeat(61));
  }

  @Test
  @Tag("C31")
  void c31ANameThatCannotBeIsRefusedInTheKubeletsWords() {
    assertThatThrownBy(() -> of("p", "a_b", "", null, false))
        .hasMessageStartingWith("pod Hostname \"a_b\" is not a valid DNS label: a lowercase RFC");
    assertThatThrownBy(() -> of("p", LONG, "", null, false))
        .hasMessageStartingWith("pod Hostname \"" + LONG + "\" is not a valid DNS label: must be");
    assertThatThrownBy(() -> of("p", "", "a.b", null, false))
        .hasMessageStartingWith("pod Subdomain \"a.b\" is not a valid DNS label: ");
    assertThatThrownBy(() -> of("p", "", "", "-", false))
        .hasMessageStartingWith("pod HostnameOverride \"-\" is not a valid DNS subdomain: ");
    assertThatThrownBy(() -> of("-".repeat(64), "", "", null, false))
        .hasMessage("hostname for pod \"%1$s\" was invalid: \"%1$s\"".formatted("-".repeat(64)));
  }

  @Test
  @Tag("C31")
  void c31AWholeNameMayHaveSixtyFourCharacters() {
    String fitting = "s".repeat(64 - "h..ns.svc.cluster.local".length());
    assertThat(of("p", "h", fitting, null, true).nodename()).hasSize(64);
    assertThatThrownBy(() -> of("p", "h", fitting + "s", null, true))
        .hasMessage(
            "failed to construct FQDN from pod hostname and cluster domain, FQDN h."
                + fitting
                + "s.ns.svc.cluster.local is too long (64 characters is the max, 65 characters"
                + " requested)");
  }
}
