package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Programs of others that tests build with Go, from modules of this repository that name them. */
final class GoProgram {
  /** Cold, the modules have to be fetched; what they share with the control plane is built. */
  private static final int BUILD_MINUTES = 10;

  private GoProgram() {}

  /**
   * Builds it into {@code target}; Go itself knows whether there is anything to do. Skips the test
   * where there is no Go.
   *
   * @param module folder below {@code load-tests}, and the program's name
   * @param main the package that is built
   */
  static Path build(String module, String main) throws IOException, InterruptedException {
    assumeTrue(
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "go"))),
        "no Go on PATH to build " + module + " with");
    Path folder = Files.createDirectories(Path.of("target", module).toAbsolutePath());
    Path program = folder.resolve(module);
    Process build =
        Launcher.process(
                folder, List.of("go", "build", "-ldflags=-s -w", "-o", program.toString(), main))
            .directory(Path.of("..", module).toAbsolutePath().normalize().toFile())
            .start();
    try {
      assertThat(build.waitFor(BUILD_MINUTES, MINUTES)).as("go build ends").isTrue();
    } finally {
      build.destroyForcibly();
    }
    assertThat(build.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
    return program;
  }
}
