package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PackagedConditionTest {
  private final List<String> told = new ArrayList<>();

  @TempDir private Path dir;

  enum Needed {
    REGISTRY("docker-registry", "Tests with a registry of images", RegistryCondition::new),
    PROMETHEUS("prometheus", "Tests with Prometheus", PrometheusCondition::new);

    private final String program;
    private final String tests;
    private final Maker maker;

    Needed(String program, String tests, Maker maker) {
      this.program = program;
      this.tests = tests;
      this.maker = maker;
    }

    private String none() {
      return "no " + program + " on PATH: the package of that name has it";
    }
  }

  private interface Maker {
    PackagedCondition make(Map<String, String> environment, Consumer<String> teller);
  }

  @ParameterizedTest
  @EnumSource
  void withoutItTestsAreSkippedWithOneLineThatSaysWhatIsMissing(Needed needed) {
    PackagedCondition condition = needed.maker.make(Map.of("PATH", dir.toString()), told::add);

    assertThat(condition.evaluate().isDisabled()).isTrue();
    assertThat(condition.evaluate().getReason()).contains(needed.none());
    assertThat(told).startsWith(needed.tests + " skipped: " + needed.none());
  }

  @ParameterizedTest
  @EnumSource
  void whereItIsItIsUsed(Needed needed) throws Exception {
    Files.setPosixFilePermissions(
        Files.createFile(dir.resolve(needed.program)),
        PosixFilePermissions.fromString("rwx------"));

    assertThat(
            needed
                .maker
                .make(Map.of("PATH", "/nowhere:" + dir, "CI", "true"), told::add)
                .evaluate()
                .isDisabled())
        .isFalse();
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void ciMustHaveIt(Needed needed) {
    PackagedCondition condition =
        needed.maker.make(Map.of("PATH", dir.toString(), "CI", "true"), told::add);

    assertThatThrownBy(condition::evaluate)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("CI=true, and " + needed.none());
  }
}
