package dev.vertlet.config.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostTest {
  private static final String HEADING =
      "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT";

  @Test
  void theDefaultRouteWithTheLowestMetricCounts() {
    assertThat(
            Host.defaultInterface(
                List.of(
                    HEADING,
                    "cni0\t0007F40A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0",
                    "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0",
                    "eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0")))
        .isEqualTo("eth0");
  }

  @Test
  void aMachineWithoutADefaultRouteHasNone() {
    assertThat(
            Host.defaultInterface(
                List.of(
                    HEADING, "cni0\t0007F40A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0", "?")))
        .isEmpty();
    assertThat(Host.defaultInterface(List.of())).isEmpty();
  }
}
