package dev.vertlet.cri;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Finds the container runtime that tests may use. */
final class ContainerRuntimes {
  /** Path of the runtime's socket. The tests must be in the network namespace of the runtime. */
  private static final String PROPERTY = "vertlet.cri.socket";

  private static final String VARIABLE = "VERTLET_CRI_SOCKET";

  private ContainerRuntimes() {}

  /** Returns the socket; without one the test is skipped, or fails in CI. */
  static Path socket() {
    String path = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    boolean there = path != null && Files.exists(Path.of(path));
    if (!there && System.getenv("CI") != null) {
      throw new AssertionError("no container runtime: " + VARIABLE + " is " + path);
    }
    Assumptions.assumeTrue(there, "no container runtime: " + VARIABLE + " names no socket");
    return Path.of(String.valueOf(path));
  }
}
