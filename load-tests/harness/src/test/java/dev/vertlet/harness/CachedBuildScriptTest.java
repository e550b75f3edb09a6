package dev.vertlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code load-tests/cached-build} with a compiler that copies its source. */
@EnabledOnOs(OS.LINUX)
class CachedBuildScriptTest {
  private static final Path SCRIPT = Path.of("..", "cached-build");
  private static final String COMPILER =
      """
      #!/bin/sh
      echo build >> builds
      cp source "$1/program"
      """;

  @TempDir private Path dir;

  /**
   * What a call came to.
   *
   * @param out its standard output
   * @param err the lines of its standard error
   */
  private record Result(int exitCode, String out, List<String> err) {
    Path program() {
      return Path.of(out.strip(), "program");
    }
  }

  @BeforeEach
  void writeSources() throws IOException {
    Files.writeString(dir.resolve("source"), "first");
    compiler(COMPILER);
  }

  @Test
  void buildsOnceAndAgainWhenAKeyFileChanges() throws Exception {
    Result first = build();

    assertThat(first.program()).hasContent("first").startsWith(cache());
    assertThat(build()).isEqualTo(new Result(0, first.out(), List.of()));

    Files.writeString(dir.resolve("source"), "second");

    assertThat(build().program()).hasContent("second");
    assertThat(first.program()).hasContent("first");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void aFailedBuildShowsItsOutputAndLeavesNothing() throws Exception {
    compiler("#!/bin/sh\ntouch \"$1/half\"\necho source:1: syntax error\nexit 1\n");

    Result failed = build();

    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err())
        .contains("source:1: syntax error")
        .endsWith("cached-build: tool cannot be built: the lines above say why");
    assertThat(entries()).isEmpty();
  }

  @Test
  void twoAtOnceBuildOnce() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", dir.resolve("fifo").toString()).start().waitFor())
        .isZero();
    compiler(COMPILER + "read -r line < fifo\n");
    Process first = start(cache());
    Process second = start(cache());
    Files.writeString(dir.resolve("fifo"), "go\n"); // blocks until a build reads it

    Result one = await(first);
    assertThat(await(second)).extracting(Result::out).isEqualTo(one.out());
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void removesWhatAKilledBuildLeftAndAllButTheThreeUsedLast() throws Exception {
    Files.createDirectories(folder().resolve("unfinished-killed"));
    List<Path> old = new ArrayList<>();
    for (int days : List.of(5, 4, 3, 2)) {
      Path entry = Files.createDirectory(folder().resolve(days + "-days-old"));
      Files.setLastModifiedTime(entry, FileTime.from(Instant.now().minus(Duration.ofDays(days))));
      old.add(entry);
    }

    Path built = build().program().getParent();

    assertThat(entries()).containsExactlyInAnyOrder(old.get(2), old.get(3), built);
  }

  @Test
  void keepsAllThatWereUsedToday() throws Exception {
    for (int number : IntStream.range(0, 4).toArray()) {
      Files.createDirectories(folder().resolve("entry-" + number));
    }
    build();

    assertThat(entries()).hasSize(5);
  }

  @Test
  void aBuildThatIsThereNeedsNoCompilerAndACompilerThatIsMissingIsNamed() throws Exception {
    Result first = build();
    Files.delete(dir.resolve("compiler"));

    assertThat(build()).isEqualTo(new Result(0, first.out(), List.of()));

    Files.writeString(dir.resolve("source"), "second");

    assertThat(build())
        .isEqualTo(
            new Result(
                127,
                "",
                List.of(
                    "cached-build: tool is not in %s, and ./compiler, which builds it, is not on PATH"
                        .formatted(folder()))));
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamedInOneLine() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));

    assertThat(await(start(file)))
        .isEqualTo(
            new Result(
                1,
                "",
                List.of(
                    "cached-build: cannot write to %s/vertlet/tool: set XDG_CACHE_HOME to a folder that can be written"
                        .formatted(file))));
  }

  private Result build() throws Exception {
    return await(start(cache()));
  }

  private Process start(Path cache) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                SCRIPT.toAbsolutePath().normalize().toString(),
                "tool",
                "source",
                "--",
                "./compiler",
                "{}")
            .directory(dir.toFile());
    builder.environment().put("XDG_CACHE_HOME", cache.toString());
    return builder.start();
  }

  private static Result await(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes());
    List<String> err = new String(process.getErrorStream().readAllBytes()).lines().toList();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), out, err);
  }

  private void compiler(String script) throws IOException {
    Files.writeString(dir.resolve("compiler"), script);
    Files.setPosixFilePermissions(
        dir.resolve("compiler"), PosixFilePermissions.fromString("rwx------"));
  }

  private int builds() throws IOException {
    return Files.readAllLines(dir.resolve("builds")).size();
  }

  private Path cache() {
    return dir.resolve("cache");
  }

  private Path folder() {
    return cache().resolve("vertlet/tool");
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files.filter(file -> !file.endsWith("lock")).toList();
    }
  }
}
