package dev.vertlet.stages.play;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** KWOK's Go module of the version whose stages are understood, from the module cache. */
public final class KwokModule {
  private static final String MODULE = "sigs.k8s.io/kwok@v0.8.0";

  private KwokModule() {}

  /**
   * Returns the module's directory, and downloads it the first time. Without Go the test is
   * aborted, but in CI it fails.
   */
  public static Path directory(Path scratch) throws IOException, InterruptedException {
    boolean ci = System.getenv("CI") != null;
    for (String file : new String[] {"go.mod", "go.sum"}) {
      try (InputStream content = KwokModule.class.getResourceAsStream("/kwok/" + file)) {
        Files.copy(content, scratch.resolve(file));
      }
    }
    Process process;
    try {
      process =
          new ProcessBuilder("go", "mod", "download", "-json", MODULE)
              .directory(scratch.toFile())
              .redirectErrorStream(true)
              .redirectOutput(scratch.resolve("output").toFile())
              .start();
    } catch (IOException e) {
      assumeTrue(ci, "go is not installed: " + e.getMessage());
      throw e;
    }
    int exit = Waits.exit(process, Waits.LONG.multipliedBy(5));
    String output = Files.readString(scratch.resolve("output"));
    if (exit != 0) {
      assumeTrue(ci, "the module cannot be downloaded: " + output);
      throw new AssertionError("the module cannot be downloaded: " + output);
    }
    String json = output.substring(output.indexOf('{'));
    return Path.of(new ObjectMapper().readTree(json).path("Dir").asText());
  }
}
