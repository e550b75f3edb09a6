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
  void readsTheCpuTimeOfChildrenThatHaveEnded() {
    String stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 9 8 7 6 111 22 333 44 20 0 1 0 5 6 7\n";

    assertThat(ProcessUsage.cpuOfEnded(stat)).isEqualTo(Duration.ofMillis(3_770));
    assertThat(ProcessUsage.cpuOfEnded("")).isZero();
  }

  @Test
  void thisProcessHasUsedSome() {
    assertThat(ProcessUsage.of(ProcessHandle.current()).cpu()).isPositive();
    assertThat(ProcessUsage.of(ProcessHandle.current()).cpu()).isLessThan(Duration.ofHours(24));
  }
}
