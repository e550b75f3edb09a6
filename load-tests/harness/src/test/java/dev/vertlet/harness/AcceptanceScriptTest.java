package dev.vertlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/acceptance} on results that were written by hand. */
class AcceptanceScriptTest {
  private static final String ROWS = "load-tests/harness/src/test/resources/acceptance.txt";

  @TempDir private Path folder;

  @BeforeEach
  void checkout() throws IOException {
    write(".ci/acceptance", Files.readString(Path.of("..", "..", ".ci", "acceptance")));
    write("docs/acceptance.md", "");
    write(ROWS, "# rows\n= First\n\nC01 one | two\nC02 three\n= Second\n2.3-x four\n");
    write("agent/target/acceptance/r1-1.tsv", "passed\tcore\tATest.a\tC01 ATest.a\tC02 ATest\n");
    write(
        "load-tests/harness/target/acceptance/r1-2.tsv",
        "passed\tcluster\tBIT.b\tC01 BIT.b\npassed\tserver\tCTest.c\nskipped\tcore\tATest.d\n");
    earlier("k8s/target/acceptance/r0-1.tsv", "failed\tcore\tOld.o\tC99 Old.o\n");
  }

  @Test
  void countsTheRowsThatTheLastRunHolds() throws Exception {
    assertThat(run(0))
        .isEqualTo("3 rows, 2 held by this run: 3 tests passed, 0 failed, 1 skipped\n");
    assertThat(folder.resolve("docs/acceptance.md")).isEmptyFile();
  }

  @Test
  void wantsATestThatPassedForEachRowOfAFullRun() throws Exception {
    assertThat(run(1, "--all", "--write"))
        .startsWith("acceptance: 2.3-x (four): no test of this run has its tag\n");
    assertThat(folder.resolve("docs/acceptance.md")).isEmptyFile();
  }

  @Test
  void writesThePage() throws Exception {
    write("k8s/target/acceptance/r1-3.tsv", "skipped\tserver\tDTest.d\t2.3-x DTest.d\n");
    run(0, "--write");

    assertThat(Files.readString(folder.resolve("docs/acceptance.md")))
        .contains(
            ": 3 tests passed, 0 failed, 2 were skipped.",
            "3 rows, 1 of them without a test that passed: 2.3-x.\n\n## First\n\n| id |",
            "| C01 | one \\| two | `ATest.a` | | `BIT.b` |\n| C02 | three | `ATest` | | |\n\n## Second",
            "| 2.3-x | four | | `DTest.d` (skipped) | |\n");
  }

  @Test
  void refusesTagsWithoutARowAndFailedTests() throws Exception {
    write(
        "k8s/target/acceptance/r1-3.tsv",
        "passed\tcore\tDTest.d\tC03 DTest.d\nfailed\tcore\tATest.a\tC01 ATest.a\n");

    assertThat(run(1))
        .isEqualTo(
            """
            acceptance: C01: ATest.a failed
            acceptance: @Tag("C03") of DTest.d: not the id of a row
            3 rows, 1 held by this run: 4 tests passed, 1 failed, 1 skipped
            """);
  }

  @Test
  void refusesListsWithTwoRowsOfOneId() throws Exception {
    write(ROWS, "= First\nC01 one\nC01 two\nC02\n");

    assertThat(run(1))
        .contains("acceptance: C01: an id of two rows\n", "acceptance: \"C02\": must be an id");
  }

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    return Files.writeString(file, text);
  }

  private void earlier(String name, String text) throws IOException {
    Files.setLastModifiedTime(write(name, text), FileTime.from(Instant.EPOCH));
  }

  /** What the script says. */
  private String run(int code, String... options) throws Exception {
    Path out = folder.resolve("out");
    String[] command = new String[options.length + 2];
    command[0] = "bash";
    command[1] = folder.resolve(".ci/acceptance").toString();
    System.arraycopy(options, 0, command, 2, options.length);
    Process script =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();

    assertThat(Waits.exit(script)).as(Files.readString(out)).isEqualTo(code);
    return Files.readString(out);
  }
}
