package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Rings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log of numbers, ten times the size of one of its five files. In the full ring it has 100 MB.
 */
@ClusterTest
@Tag("P08")
class ProcessLogsIT {
  /** Length of a line without its end. */
  private static final int WIDTH = 99;

  private static final int FILES = 5;

  /** Size of a file, with a time and a stream in front of each line. */
  private static final int FILE_BYTES = Rings.isFull() ? 10 << 20 : 256 << 10;

  /** Lines of 100 bytes: 100 MB, or 2.5 MB. */
  private static final int LINES = Rings.isFull() ? 1_000_000 : 25_000;

  @TempDir private Path folder;

  /** Writes the numbers from the first argument to the second. */
  private static final String COUNT = "seq -f %0" + WIDTH + ".0f ";

  private ProcessNode start(TestCluster cluster) throws InterruptedException {
    return new ProcessNode(cluster, folder)
        .with("containerLogMaxBytes", FILE_BYTES)
        .with("containerLogMaxFiles", FILES)
        .start();
  }

  /** The first number of a log whose numbers have no gap; checks that. */
  private static long firstOf(Path output, long last) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(output)) {
      return firstOf(reader, last);
    }
  }

  private static long firstOf(BufferedReader reader, long last) throws IOException {
    String line = reader.readLine();
    assertThat(line).as("first line").hasSize(WIDTH);
    long first = Long.parseLong(line);
    long number = first;
    for (line = reader.readLine(); line != null; line = reader.readLine()) {
      number++;
      if (line.length() != WIDTH || Long.parseLong(line) != number) {
        throw new AssertionError("line " + line + " where " + number + " belongs");
      }
    }
    assertThat(number).as("last line").isEqualTo(last);
    return first;
  }

  private static Path logs(ProcessNode node, String... options) throws Exception {
    KubectlRuns.Run run = node.kubectl().start(Map.of(), KubectlRuns.NOTHING, arguments(options));
    int code = run.exitCode();
    assertThat(code).as("%s", run.err()).isZero();
    return run.folder().resolve("out");
  }

  private static String[] arguments(String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "logs";
    all[1] = "counter";
    System.arraycopy(options, 0, all, 2, options.length);
    return all;
  }

  private static void awaitEnd(TestCluster cluster) {
    eventually(
        () ->
            assertThat(cluster.field("pod", "counter", "{.status.phase}")).isEqualTo("Succeeded"));
  }

  @Test
  void theEndOfALogIsReadAcrossItsFiles(TestCluster cluster) throws Exception {
    ProcessNode node = start(cluster);
    node.script("counter", COUNT + "1 " + LINES, "", "Never");
    awaitEnd(cluster);

    long first = firstOf(logs(node), LINES);
    long perLine = WIDTH + 1 + "2006-01-02T15:04:05.000000000Z stdout F ".length();
    assertThat(LINES - first + 1)
        .as("lines that are left")
        .isBetween((FILES - 1) * FILE_BYTES / perLine - FILES, FILES * FILE_BYTES / perLine);
    long tail = 2 * FILE_BYTES / perLine;
    assertThat(firstOf(logs(node, "--tail=" + tail), LINES)).isEqualTo(LINES - tail + 1);
    assertThat(firstOf(logs(node, "--tail=1"), LINES)).isEqualTo(LINES);
    try (var files = Files.list(node.directory("counter", 0))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("log")))
          .hasSize(FILES);
    }
  }

  @Test
  void aFollowerGetsEachLineOnceAcrossRotation(TestCluster cluster) throws Exception {
    ProcessNode node = start(cluster);
    int chunk = LINES / 20;
    // it waits for its follower: lines whose file is removed before they were read are lost
    node.script(
        "counter",
        "n=0; while [ $n -lt "
            + LINES
            + " ]; do until test -e "
            + folder.resolve("gate-$n")
            + "; do sleep 0.1; done; "
            + COUNT
            + "$((n+1)) $((n+"
            + chunk
            + ")); n=$((n+"
            + chunk
            + ")); done",
        "",
        "Never");
    Files.createFile(folder.resolve("gate-0"));
    node.awaitReady("counter");
    eventually(
        () -> assertThat(cluster.kubectl("logs", "counter", "--tail=1")).endsWith(chunk + "\n"));

    try (KubectlRuns.Run follower =
        node.kubectl().start(Map.of(), KubectlRuns.NOTHING, arguments("--follow", "--tail=100"))) {
      Path output = follower.folder().resolve("out");
      for (int n = chunk; n < LINES; n += chunk) {
        long bytes = (n - chunk + 100L) * (WIDTH + 1);
        eventually(() -> assertThat(Files.size(output)).isEqualTo(bytes));
        Files.createFile(folder.resolve("gate-" + n));
      }
      assertThat(follower.exitCode()).isZero();

      assertThat(firstOf(output, LINES)).isEqualTo(chunk - 99);
    }
  }

  @Test
  void linesSinceATimeAreThoseFromItOn(TestCluster cluster) throws Exception {
    ProcessNode node = start(cluster);
    node.script("counter", COUNT + "1 " + LINES, "", "Never");
    awaitEnd(cluster);
    List<String> all = Files.readAllLines(logs(node, "--timestamps"));
    String time = all.get(all.size() / 3).substring(0, all.get(0).indexOf(' '));
    // kubectl sends whole seconds
    String second = time.substring(0, time.indexOf('.')) + "Z";

    List<String> since = Files.readAllLines(logs(node, "--timestamps", "--since-time=" + second));

    assertThat(since)
        .isEqualTo(
            all.stream().filter(line -> line.compareTo(second.replace("Z", "")) >= 0).toList());
    assertThat(logs(node, "--since=1h")).hasSameTextualContentAs(logs(node));
  }

  @Test
  void theLogOfTheInstanceBeforeIsReadAcrossItsFiles(TestCluster cluster) throws Exception {
    ProcessNode node = start(cluster);
    Path mark = folder.resolve("mark");
    node.script(
        "counter",
        "if test -e "
            + mark
            + "; then echo second; exec sleep 1000; fi; touch "
            + mark
            + "; "
            + COUNT
            + "1 "
            + LINES
            + "; exit 1");
    eventually(() -> assertThat(node.restarts("counter")).isEqualTo(1));
    node.awaitReady("counter");

    assertThat(firstOf(logs(node, "-p", "--tail=1000"), LINES)).isEqualTo(LINES - 999);
    assertThat(firstOf(logs(node, "-p"), LINES)).isGreaterThan(1);
    assertThat(logs(node)).hasContent("second\n");
  }
}
