package dev.vertlet.kubelet.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotBackOffTest {
  @Test
  void backOffAfterARestartOfTheAgentGoesOnWhereItWas() {
    SlotBackOff backOff = new SlotBackOff();
    BackOffRange range = new BackOffRange(10_000, 300_000);
    backOff.restored(3, 100_000, range);
    assertThat(backOff.restartAfter(4, 120_000)).isEqualTo(160_000);
    backOff.restarting(4, 120_000, 160_000, range);
    assertThat(backOff.restartStep()).isEqualTo(80_000);
    backOff.restored(50, 100_000, range);
    assertThat(backOff.restartStep()).isEqualTo(300_000);
  }

  @Test
  void imageBackOffIsForgottenAfterTenMinutes() {
    SlotBackOff backOff = new SlotBackOff();
    assertThat(backOff.pullFailed(0)).isEqualTo(10_000);
    assertThat(backOff.pullFailed(10_000)).isEqualTo(30_000);
    assertThat(backOff.pullFailed(700_000)).isEqualTo(710_000);
    for (int i = 1; i < 10; i++) {
      backOff.pullFailed(700_000L + i);
    }
    assertThat(backOff.imageStep()).isEqualTo(300_000);
  }
}
