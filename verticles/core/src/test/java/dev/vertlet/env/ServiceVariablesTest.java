package dev.vertlet.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ServiceView;
import dev.vertlet.model.reference.ServiceView.Port;
import dev.vertlet.testing.EnvPods;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Service environment: virtual-kubelet §1.11 and 2.2 ServiceEnvVar. */
@Tag("ServiceEnvVar")
class ServiceVariablesTest {
  private static final ReferredKey API =
      new ReferredKey(ReferredKind.SERVICE, "default", "kubernetes");

  @ParameterizedTest(name = "1.11 {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "one port|10.0.0.1| :80:TCP|"
            + "A_B_SERVICE_HOST=10.0.0.1 A_B_SERVICE_PORT=80 A_B_PORT=tcp://10.0.0.1:80"
            + " A_B_PORT_80_TCP=tcp://10.0.0.1:80 A_B_PORT_80_TCP_PROTO=tcp"
            + " A_B_PORT_80_TCP_PORT=80 A_B_PORT_80_TCP_ADDR=10.0.0.1",
        "named ports|10.0.0.1| u-d:53:UDP t:53:TCP|"
            + "A_B_SERVICE_HOST=10.0.0.1 A_B_SERVICE_PORT=53 A_B_SERVICE_PORT_U_D=53"
            + " A_B_SERVICE_PORT_T=53 A_B_PORT=udp://10.0.0.1:53"
            + " A_B_PORT_53_UDP=udp://10.0.0.1:53 A_B_PORT_53_UDP_PROTO=udp"
            + " A_B_PORT_53_UDP_PORT=53 A_B_PORT_53_UDP_ADDR=10.0.0.1"
            + " A_B_PORT_53_TCP=tcp://10.0.0.1:53 A_B_PORT_53_TCP_PROTO=tcp"
            + " A_B_PORT_53_TCP_PORT=53 A_B_PORT_53_TCP_ADDR=10.0.0.1",
        "SCTP over IPv6|2001:db8::| :7:SCTP|"
            + "A_B_SERVICE_HOST=2001:db8:: A_B_SERVICE_PORT=7 A_B_PORT=sctp://[2001:db8::]:7"
            + " A_B_PORT_7_SCTP=sctp://[2001:db8::]:7 A_B_PORT_7_SCTP_PROTO=sctp"
            + " A_B_PORT_7_SCTP_PORT=7 A_B_PORT_7_SCTP_ADDR=2001:db8::",
        "headless|None| :80:TCP|''",
        "without an address|''| :80:TCP|''",
        "without a port|10.0.0.1|''|''"
      })
  void variables(String row, String address, String ports, String expected) {
    ServiceView service = new ServiceView("ns", "a-b", "u", 1, address, ports(ports));

    Map<String, String> variables = ServiceVariables.of(List.of(service));

    assertThat(
            variables.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(" ")))
        .as(row)
        .isEqualTo(expected);
  }

  private static List<Port> ports(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    return List.of(text.split(" ")).stream()
        .map(port -> port.split(":"))
        .map(part -> new Port(part[0], Integer.parseInt(part[1]), part[2]))
        .toList();
  }

  /** 1.11: default/kubernetes always, those of the namespace if enableServiceLinks. */
  @Test
  void onlyWhatIsNeededIsRead() {
    ReferredKey all = new ReferredKey(ReferredKind.SERVICE, "ns", "");
    ReferredKey home = new ReferredKey(ReferredKind.SERVICE, "default", "");

    assertThat(ServiceVariables.keys("ns", true)).containsExactly(API, all);
    assertThat(ServiceVariables.keys("ns", false)).containsExactly(API);
    assertThat(ServiceVariables.keys("default", true)).containsExactly(home);
    assertThat(ServiceVariables.keys("default", false)).containsExactly(API);
    assertThat(API.single()).isTrue();
    assertThat(all.single()).isFalse();
  }

  /** As in a kubelet, a namespace's own "kubernetes" hides the API server's. */
  @Test
  void theLaterOfTwoNamesCounts() {
    assertThat(
            ServiceVariables.of(
                List.of(
                    EnvPods.service("default", "kubernetes", "10.0.0.1", 443),
                    EnvPods.service("ns", "kubernetes", "10.0.0.2", 443))))
        .containsEntry("KUBERNETES_SERVICE_HOST", "10.0.0.2");
  }
}
