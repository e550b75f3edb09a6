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

class ImageConditionTest {
  private final List<String> told = new ArrayList<>();

  @TempDir private Path dir;

  private ImageCondition condition(boolean root, String... variable) {
    return new ImageCondition(
        variable.length == 0
            ? Map.of("PATH", dir.toString())
            : Map.of("PATH", dir.toString(), variable[0], variable[1]),
        dir,
        root,
        told::add);
  }

  private void programs(String... names) throws Exception {
    for (String name : names) {
      Files.setPosixFilePermissions(
          Files.createFile(dir.resolve(name)), PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void withoutAnImageTestsAreSkippedWithOneLineThatSaysHowToMakeIt() {
    assertThat(condition(true).evaluate().isDisabled()).isTrue();
    assertThat(told)
        .containsExactly(
            "Tests of the image skipped: no vertlet.tar in image/target: mvn -Pimage package"
                + " makes it");
  }

  @Test
  void nobodyButRootRunsContainers() throws Exception {
    programs("vertlet.tar", "containerd", "ctr", "runc");

    assertThat(condition(false).evaluate().isDisabled()).isTrue();
    assertThat(told)
        .containsExactly("Tests of the image skipped: containers are run by root alone");
  }

  @Test
  void whatRunsContainersMustBeThere() throws Exception {
    programs("vertlet.tar", "containerd", "ctr");

    assertThat(condition(true).evaluate().isDisabled()).isTrue();
    assertThat(told).containsExactly("Tests of the image skipped: no runc on PATH");
  }

  @Test
  void withAllOfThemTheImageIsRun() throws Exception {
    programs("vertlet.tar", "containerd", "ctr", "runc");

    assertThat(condition(true).evaluate().isDisabled()).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void ciMustHaveThem() {
    assertThatThrownBy(condition(true, "CI", "true")::evaluate)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("CI=true, and no vertlet.tar");
  }
}
