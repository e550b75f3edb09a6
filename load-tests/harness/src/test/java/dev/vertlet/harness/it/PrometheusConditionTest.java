package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrometheusConditionTest {
  private static final String NONE = "no prometheus on PATH: the package of that name has it";

  private final List<String> told = new ArrayList<>();

  @TempDir private Path dir;

  @Test
  void withoutItTestsAreSkippedWithOneLineThatSaysWhatIsMissing() {
    PrometheusCondition condition =
        new PrometheusCondition(Map.of("PATH", dir.toString()), told::add);

    assertThat(condition.evaluate().isDisabled()).isTrue();
    assertThat(condition.evaluate().getReason()).contains(NONE);
    assertThat(told).startsWith("Tests with Prometheus skipped: " + NONE);
  }

  @Test
  void whereItIsItIsUsed() throws Exception {
    Files.setPosixFilePermissions(
        Files.createFile(dir.resolve("prometheus")), PosixFilePermissions.fromString("rwx------"));

    assertThat(
            new PrometheusCondition(Map.of("PATH", "/nowhere:" + dir, "CI", "true"), told::add)
                .evaluate()
                .isDisabled())
        .isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void ciMustHaveIt() {
    PrometheusCondition condition =
        new PrometheusCondition(Map.of("PATH", dir.toString(), "CI", "true"), told::add);

    assertThatThrownBy(condition::evaluate)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("CI=true, and " + NONE);
  }
}
