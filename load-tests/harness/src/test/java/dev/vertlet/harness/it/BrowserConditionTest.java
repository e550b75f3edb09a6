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

class BrowserConditionTest {
  private final List<String> told = new ArrayList<>();

  @TempDir private Path dir;

  @Test
  void withoutABrowserTestsAreSkippedWithOneLine() {
    assertThat(
            new BrowserCondition(Map.of("PATH", dir.toString()), told::add).evaluate().isDisabled())
        .isTrue();
    assertThat(told).singleElement().asString().startsWith("Browser tests skipped: no chromium");
  }

  @Test
  void ciMustHaveABrowser() {
    assertThatThrownBy(new BrowserCondition(Map.of("CI", "true"), told::add)::evaluate)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("CI=true, and no chromium");
  }

  @Test
  void aBrowserIsFoundOnThePath() throws Exception {
    Path program = Files.createFile(dir.resolve("chromium-browser"));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));

    assertThat(Browser.find(Map.of("PATH", "/nowhere:" + dir))).contains(program);
    assertThat(
            new BrowserCondition(Map.of("CHROME_BIN", program.toString()), told::add)
                .evaluate()
                .isDisabled())
        .isFalse();
  }
}
