package dev.vertlet.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcTest {
  @Test
  void thereCanBeMoreProcessesThanThereAre() throws IOException {
    assertThat(Proc.pids()).isNotEmpty();
    // the kernel's least value of pid_max
    assertThat(Proc.mostPids()).isGreaterThan(300).isGreaterThanOrEqualTo(Proc.pids().size());
  }

  @Test
  void aProcessIsKnownByItsStart() {
    long own = ProcessHandle.current().pid();
    ProcessStat stat = Objects.requireNonNull(Proc.stat(own));

    assertThat(Proc.runs(own, stat.startTicks())).isTrue();
    assertThat(Proc.runs(own, stat.startTicks() + 1)).isFalse();
    assertThat(Proc.runs(-1, 0)).isFalse();
  }
}
