package dev.vertlet.harness.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a shell script in place of the go command. */
class GoBuildTest {
  private static final String ONE_BUILD =
      """
      #!/bin/sh
      [ "$1" = version ] && { echo "go version go1.26.8 linux/amd64"; exit 0; }
      echo "$@" >> "$0.builds"
      while [ "$1" != -o ]; do shift; done
      echo '#!/bin/sh' > "$2" && chmod +x "$2"
      """;

  @TempDir private Path dir;
  private final List<String> progress = new ArrayList<>();

  @BeforeEach
  void writeModule() throws IOException {
    Files.createDirectories(dir.resolve("module"));
    Files.writeString(
        dir.resolve("module/go.mod"), "module x\n\nrequire (\n\tk8s.io/kubernetes v1.36.3\n)\n");
    Files.writeString(dir.resolve("module/main.go"), "package main\n");
  }

  @Test
  void buildsOnceAndLinksEveryProgramToTheBinary() throws IOException {
    Path folder = build(ONE_BUILD);
    Path again = build(ONE_BUILD);

    assertThat(again).isEqualTo(folder);
    assertThat(builds()).singleElement().asString().contains("gitVersion=v1.36.3", "gitMinor=36");
    assertThat(folder.getFileName().toString()).matches("[0-9a-f]{12}-[0-9a-f]{12}");
    assertThat(Programs.in(folder, "cache").hasControllers()).isTrue();
    assertThat(progress).hasSize(2); // that it builds, that it has built
  }

  @Test
  void changedSourcesAreBuiltAnew() throws IOException {
    Path before = build(ONE_BUILD);
    Files.writeString(dir.resolve("module/main.go"), "package main // changed\n");

    assertThat(build(ONE_BUILD)).isNotEqualTo(before);
    assertThat(builds()).hasSize(2);
  }

  @Test
  void aFailedBuildShowsWhatTheCompilerSaidAndIsNotCached() throws IOException {
    String failing = ONE_BUILD + "echo 'main.go:1: syntax error'; exit 1\n";

    assertThatThrownBy(() -> build(failing))
        .isInstanceOf(ControlPlaneException.class)
        .hasMessageContaining("go build failed in ")
        .hasMessageContaining("main.go:1: syntax error");

    try (Stream<Path> left = Files.list(dir.resolve("cache"))) {
      assertThat(left).allMatch(file -> file.endsWith("lock"));
    }
    assertThat(build(ONE_BUILD)).isDirectory();
  }

  @Test
  void aBuildIsFoundWithoutGoUntilTheSourcesChange() throws IOException {
    Path folder = build(ONE_BUILD);

    assertThat(GoBuild.cached(dir.resolve("module"), dir.resolve("cache"))).contains(folder);

    Files.writeString(dir.resolve("module/main.go"), "package main // changed\n");

    assertThat(GoBuild.cached(dir.resolve("module"), dir.resolve("cache"))).isEmpty();
  }

  @Test
  void removesWhatAKilledBuildLeftAndAllButTheThreeUsedLast() throws IOException {
    Path cache = dir.resolve("cache");
    Path newest = Files.createDirectories(cache.resolve("2-days-old"));
    Path newer = Files.createDirectories(cache.resolve("3-days-old"));
    Path oldest = Files.createDirectories(cache.resolve("4-days-old"));
    for (Path old : List.of(newest, newer, oldest)) {
      int days = Integer.parseInt(old.getFileName().toString().substring(0, 1));
      Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(days))));
    }
    Path built = build(ONE_BUILD);
    Path unfinished = Files.createDirectories(cache.resolve("unfinished-1"));

    assertThat(build(ONE_BUILD)).isEqualTo(built); // also when nothing is built

    assertThat(List.of(built, newest, newer)).allMatch(Files::isDirectory);
    assertThat(List.of(oldest, unfinished)).noneMatch(Files::exists);
  }

  @Test
  void aModuleThatCannotBeFetchedIsToldInOneLine() {
    String offline = ONE_BUILD + "echo 'go: x@v1: dial tcp: lookup: no such host'; exit 1\n";

    assertThatThrownBy(() -> build(offline))
        .hasMessage(
            "go build failed in %s: go: x@v1: dial tcp: lookup: no such host",
            dir.resolve("module"));
  }

  private Path build(String go) throws IOException {
    Path command = Files.writeString(dir.resolve("go"), go);
    assertThat(command.toFile().setExecutable(true)).isTrue();
    var module =
        new ControlPlaneSource.GoModule(command, dir.resolve("module"), dir.resolve("cache"));
    return new GoBuild(module, progress::add).run();
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(dir.resolve("go.builds"));
  }
}
