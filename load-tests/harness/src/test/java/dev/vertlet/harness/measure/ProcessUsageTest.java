package dev.vertlet.harness.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessUsageTest {
  @Test
  void readsKibibytes() {
    String status = "Name:\tjava\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n";

    assertThat(ProcessUsage.kibibytes(status, "VmRSS")).isEqualTo(102_400);
    assertThat(ProcessUsage.kibibytes(status, "VmHWM")).isEqualTo(204_800);
    assertThat(ProcessUsage.kibibytes(status, "VmSwap")).isZero();
  }

  @Test
  void thisProcessHasUsedSome() {
    assertThat(ProcessUsage.of(ProcessHandle.current()).cpu()).isPositive();
    assertThat(ProcessUsage.of(ProcessHandle.current()).cpu()).isLessThan(Duration.ofHours(24));
  }
}
