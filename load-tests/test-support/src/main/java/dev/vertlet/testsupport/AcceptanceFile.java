package dev.vertlet.testsupport;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Test outcomes of one JVM: {@code target/acceptance/RUN-PID.tsv} of the module. A run is one
 * invocation of Maven, named by its start time; all its JVMs and modules share it. The first line
 * of a run removes the files of earlier runs.
 */
final class AcceptanceFile {
  /** Name of the run. Without one, as in an IDE, no file is written. */
  private static final String RUN = "vertlet.test.run";

  private final Path file;
  private final String prefix;
  private boolean begun;

  AcceptanceFile(Path folder, String run, long pid) {
    this.prefix = run + "-";
    this.file = folder.resolve(prefix + pid + ".tsv");
  }

  /** Returns the file of this JVM, or null without a run. */
  static @Nullable AcceptanceFile ofThisJvm() {
    String run = System.getProperty(RUN);
    Path module = Path.of(System.getProperty("basedir", ""));
    return run == null
        ? null
        : new AcceptanceFile(
            module.resolve("target").resolve("acceptance"), run, ProcessHandle.current().pid());
  }

  /** Appends at once, so that a killed JVM keeps its lines. */
  synchronized void append(String text) {
    try {
      if (!begun) {
        begin();
      }
      Files.write(file, text.getBytes(UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void begin() throws IOException {
    Path folder = Files.createDirectories(file.resolveSibling(""));
    List<Path> earlier;
    try (Stream<Path> files = Files.list(folder)) {
      earlier = files.filter(each -> !each.getFileName().toString().startsWith(prefix)).toList();
    }
    for (Path each : earlier) {
      Files.deleteIfExists(each); // another JVM of this run may delete it first
    }
    begun = true;
  }
}
