package dev.vertlet.harness.run;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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

  /** Whether this process' user is root. */
  public boolean ownedByRoot() {
    try {
      return Files.getAttribute(root, "unix:uid").equals(0);
    } catch (IOException e) {
      throw new FailedException("cannot read " + root + ": " + e.getMessage(), e);
    }
  }

  /**
   * Tries whether programs run in this directory.
   *
   * @throws FailedException when its file system is mounted noexec
   */
  public void requirePrograms() throws InterruptedException {
    Path program = writeSecret("program", "#!/bin/sh\n");
    try {
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
      new ProcessBuilder(program.toString()).start().waitFor();
      Files.delete(program);
    } catch (IOException e) {
      throw new FailedException(
          "no program can be run in %s, maybe because its file system is mounted noexec; VERTLET_JAVA_OPTS=-Djava.io.tmpdir=DIRECTORY names another"
              .formatted(root.getParent()),
          e);
    }
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
