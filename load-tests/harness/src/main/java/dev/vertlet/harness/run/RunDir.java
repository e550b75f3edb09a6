package dev.vertlet.harness.run;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directory of this run, readable by its user only; deleted on close. */
public final class RunDir implements AutoCloseable {
  private final Path root;

  private RunDir(Path root) {
    this.root = root;
  }

  /**
   * @param prefix prefix of its name
   */
  public static RunDir create(String prefix) {
    try {
      return new RunDir(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new FailedException("cannot make a temporary directory: " + e.getMessage(), e);
    }
  }

  public Path file(String name) {
    return root.resolve(name);
  }

  /** Writes a file that only its owner can read. */
  public Path writeSecret(String name, String content) {
    try {
      return Kubeconfig.writeSecret(file(name), content);
    } catch (IOException e) {
      throw new FailedException("cannot write " + file(name) + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> walk = Files.walk(root)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new FailedException("cannot delete " + root + ": " + e.getMessage(), e);
    }
  }
}
