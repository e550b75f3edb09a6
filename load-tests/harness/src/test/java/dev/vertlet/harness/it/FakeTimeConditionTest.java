package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeTimeConditionTest {
  private final List<String> told = new ArrayList<>();

  @TempDir private Path dir;

  @Test
  void withoutTheLibraryTestsAreSkippedWithOneLineThatSaysWhatIsMissing() {
    assertThat(condition(Map.of()).evaluate().isDisabled()).isTrue();
    assertThat(told).containsExactly("Tests that set a clock skipped: " + none());
  }

  @Test
  void whereItIsItIsUsed() throws Exception {
    Files.createFile(Files.createDirectory(dir.resolve("faketime")).resolve("libfaketime.so.1"));

    assertThat(condition(Map.of("CI", "true")).evaluate().isDisabled()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void ciMustHaveIt() {
    assertThatThrownBy(condition(Map.of("CI", "true"))::evaluate)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("CI=true, and " + none());
  }

  private FakeTimeCondition condition(Map<String, String> environment) {
    return new FakeTimeCondition(environment, List.of(dir), told::add);
  }

  private String none() {
    return "no faketime/libfaketime.so.1 in [" + dir + "]: Debian's package faketime has it";
  }
}
