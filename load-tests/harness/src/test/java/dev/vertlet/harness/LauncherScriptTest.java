package dev.vertlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./vertlet} with a Maven and a Java that only say so. */
class LauncherScriptTest {
  private static final Path SCRIPT = Path.of("..", "..", "vertlet");

  private static final String MAVEN =
      """
      mkdir -p load-tests/harness/target/lib
      touch load-tests/harness/target/lib/vertlet-agent-1.jar
      touch load-tests/harness/target/lib/vertlet-harness-1.jar
      echo '[INFO] Building vertlet-agent 1 [1/2]'
      """;

  private static final String JAVA =
      """
      [ "$1" = -version ] && echo 'openjdk version "17.0.1"' >&2 && exit
      for word; do
        case $word in -XX:SharedArchiveFile=*) touch "${word#*=}" ;; esac
      done
      shift $(($# - 1))
      echo "java $1"
      """;

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    executable(home.resolve("vertlet"), Files.readString(SCRIPT));
    Path archive = Path.of("load-tests", "harness", "archive");
    Files.createDirectories(home.resolve(archive).getParent());
    executable(home.resolve(archive), Files.readString(SCRIPT.resolveSibling(archive)));
    Files.createDirectories(home.resolve("bin"));
    executable(home.resolve("bin/mvn"), "#!/bin/sh\n" + MAVEN);
    executable(home.resolve("bin/java"), "#!/bin/sh\n" + JAVA);
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private List<String> err(String... arguments) throws Exception {
    Path out = home.resolve("out");
    Path err = home.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("vertlet").toString())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.command().addAll(List.of(arguments));
    builder.environment().remove("JAVA_HOME");
    builder
        .environment()
        .merge("PATH", home.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    assertThat(Waits.exit(builder.start())).as(Files.readString(err)).isZero();
    assertThat(out).hasContent("java " + arguments[arguments.length - 1]);
    return Files.readAllLines(err);
  }

  @Test
  void theFirstStartSaysThatItBuildsOnceAndHowLongThatTakes() throws Exception {
    assertThat(err("--help"))
        .containsExactly(
            "building vertlet (first use: done once, takes a minute or two)…",
            "  vertlet-agent 1 [1/2]",
            "vertlet: making the class-data archive, once for this build…");

    assertThat(err("--help")).isEmpty();
  }

  @Test
  void whatMavenBuiltAloneGetsItsArchiveWithTheFirstAgent() throws Exception {
    Path lib = Files.createDirectories(home.resolve("load-tests/harness/target/lib"));
    Files.createFile(lib.resolve("vertlet-agent-1.jar"));
    Files.createFile(lib.resolve("vertlet-harness-1.jar"));

    assertThat(err("--help")).isEmpty();
    assertThat(err("agent"))
        .containsExactly("vertlet: making the class-data archive, once for this build…");
    assertThat(lib.resolve("agent.jsa")).exists();
    assertThat(err("agent")).isEmpty();
  }

  @Test
  void aBuildOfNewerSourcesIsToldToo() throws Exception {
    assertThat(err("version")).isNotEmpty();
    Path pom = Files.createFile(home.resolve("pom.xml"));
    Files.setLastModifiedTime(pom, FileTime.from(Instant.now().plusSeconds(60)));

    assertThat(err("version"))
        .startsWith("building vertlet (sources are newer than the build, takes about a minute)…");
  }
}
