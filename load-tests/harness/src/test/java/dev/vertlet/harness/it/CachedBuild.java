package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs of others, or made with libraries of others, that tests build once per machine. */
final class CachedBuild {
  /** Cold, libraries have to be fetched; what Go programs share with the control plane is built. */
  private static final Duration LIMIT = Waits.LONG.multipliedBy(10);

  /** The exit code of {@code cached-build} when there is neither a build nor who builds. */
  private static final int NO_TOOL = 127;

  private static final Path LOAD_TESTS = Path.of("..").toAbsolutePath().normalize();

  private CachedBuild() {}

  /**
   * Takes a program from the cache of {@code load-tests/cached-build}, which builds it if it is not
   * there. Skips the test where that needs a tool that is missing.
   *
   * @param name what is built
   * @param module folder below {@code load-tests}
   * @param keys files of the module that the result depends on
   * @param command runs in the module; {@code {}} stands for the folder to build into
   * @return the folder that was built
   */
  static Path of(String name, String module, List<String> keys, List<String> command)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(LOAD_TESTS.resolve("cached-build").toString());
    all.add(name);
    all.addAll(keys);
    all.add("--");
    all.addAll(command);
    Path dir = Files.createTempDirectory("cached-build-");
    try {
      Process build =
          Launcher.process(dir, all).directory(LOAD_TESTS.resolve(module).toFile()).start();
      try {
        assertThat(build.waitFor(LIMIT.toMillis(), MILLISECONDS)).as("the build ends").isTrue();
      } finally {
        build.destroy(); // not by force, so that it removes what is unfinished
      }
      String err = Files.readString(dir.resolve("err"));
      assumeTrue(build.exitValue() != NO_TOOL, err);
      assertThat(build.exitValue()).as(err).isZero();
      return Path.of(Files.readString(dir.resolve("out")).strip());
    } finally {
      Files.deleteIfExists(dir.resolve("out"));
      Files.deleteIfExists(dir.resolve("err"));
      Files.delete(dir);
    }
  }

  /**
   * A program in Go, from a module that names it.
   *
   * @param name of the program
   * @param main the package that is built
   */
  static Path ofGo(String name, String module, String main, String... keys)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("go.mod", "go.sum"));
    all.addAll(List.of(keys));
    return of(
            name,
            module,
            all,
            List.of("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", "{}/" + name, main))
        .resolve(name);
  }
}
