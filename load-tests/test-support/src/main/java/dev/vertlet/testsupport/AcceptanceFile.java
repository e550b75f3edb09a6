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
 * What the tests of one JVM came to: {@code target/acceptance/RUN-PID.tsv} of the module. The run
 * is the invocation of Maven, by the instant it began at; all its JVMs and modules share it. The
 * first line of a run removes the files of earlier ones.
 */
final class AcceptanceFile {
  /** Name of the run. Without one, as in an IDE, nothing is written. */
  private static final String RUN = "vertlet.test.run";

  private final Path file;
  private final String prefix;
  private boolean begun;

  AcceptanceFile(Path folder, String run, long pid) {
    this.prefix = run + "-";
    this.file = folder.resolve(prefix + pid + ".tsv");
  }

  /** The file of this JVM, or null where there is no run. */
  static @Nullable AcceptanceFile ofThisJvm() {
    String run = System.getProperty(RUN);
    Path module = Path.of(System.getProperty("basedir", ""));
    return run == null
        ? null
        : new AcceptanceFile(
            module.resolve("target").resolve("acceptance"), run, ProcessHandle.current().pid());
  }

  /** Appends at once: a JVM that is killed keeps what it has written. */
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
      Files.deleteIfExists(each); // another JVM of this run does so too
    }
    begun = true;
  }
}
