package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Programs of others that tests build with Go, from modules of this repository that name them. */
final class GoProgram {
  /** Cold, the modules have to be fetched; what they share with the control plane is built. */
  private static final Duration LIMIT = Waits.LONG.multipliedBy(10);

  /** The exit code of {@code cached-build} when there is neither a build nor a Go. */
  private static final int NO_GO = 127;

  private GoProgram() {}

  /**
   * Takes a program from the cache of {@code load-tests/cached-build}, which builds it if it is not
   * there. Skips the test where that needs a Go and there is none.
   *
   * @param module folder below {@code load-tests}, and the program's name
   * @param main the package that is built
   */
  static Path build(String module, String main) throws IOException, InterruptedException {
    Path folder = Path.of("..", module).toAbsolutePath().normalize();
    Path dir = Files.createTempDirectory("go-program-");
    try {
      Process build =
          Launcher.process(
                  dir,
                  List.of(
                      folder.resolveSibling("cached-build").toString(),
                      module,
                      "go.mod",
                      "go.sum",
                      "--",
                      "go",
                      "build",
                      "-buildvcs=false",
                      "-ldflags=-s -w",
                      "-o",
                      "{}/" + module,
                      main))
              .directory(folder.toFile())
              .start();
      try {
        assertThat(build.waitFor(LIMIT.toMillis(), MILLISECONDS)).as("the build ends").isTrue();
      } finally {
        build.destroy(); // not by force, so that it removes what is unfinished
      }
      String err = Files.readString(dir.resolve("err"));
      assumeTrue(build.exitValue() != NO_GO, err);
      assertThat(build.exitValue()).as(err).isZero();
      return Path.of(Files.readString(dir.resolve("out")).strip(), module);
    } finally {
      Files.deleteIfExists(dir.resolve("out"));
      Files.deleteIfExists(dir.resolve("err"));
      Files.delete(dir);
    }
  }
}
