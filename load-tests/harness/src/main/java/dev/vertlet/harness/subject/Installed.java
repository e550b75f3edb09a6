package dev.vertlet.harness.subject;

import dev.vertlet.cli.FailedException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Programs and files that are installed on this machine.
 *
 * @param environment environment with {@code PATH} and with Go's variables for its folders
 */
record Installed(Map<String, String> environment) {
  /** Home directory of vertlet. */
  Path home() {
    return Path.of(environment.getOrDefault("VERTLET_HOME", "")).toAbsolutePath();
  }

  /** Folder of Go's module cache. */
  Path goModules() {
    String modules = environment.getOrDefault("GOMODCACHE", "");
    return modules.isEmpty() ? goPath().resolve("pkg/mod") : Path.of(modules);
  }

  /** First directory of GOPATH, to which Go writes. */
  private Path goPath() {
    String path = environment.getOrDefault("GOPATH", "");
    return path.isEmpty()
        ? Path.of(environment.getOrDefault("HOME", ""), "go")
        : Path.of(path.split(File.pathSeparator, 2)[0]);
  }

  /** Finds a program like a shell does, or where {@code go install} puts it. */
  Optional<Path> program(String name) {
    if (name.contains("/")) {
      return Optional.of(Path.of(name)).filter(Installed::runs).map(Path::toAbsolutePath);
    }
    return Stream.of(
            Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator)),
            Stream.of(environment.getOrDefault("GOBIN", "")),
            Stream.of(goPath().resolve("bin").toString()))
        .flatMap(folders -> folders)
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Installed::runs)
        .findFirst();
  }

  private static boolean runs(Path file) {
    return Files.isExecutable(file) && !Files.isDirectory(file);
  }

  /**
   * @throws FailedException when a requirement of a peer is missing, with a hint how to install it
   */
  void require(Peer peer) {
    Placeholders placeholders = new Placeholders(Map.of("home", home().toString()), goModules());
    for (Peer.Need need : peer.needs()) {
      String what = placeholders.fill("needs", need.what());
      boolean there =
          need instanceof Peer.Need.File ? Files.exists(Path.of(what)) : program(what).isPresent();
      if (!there) {
        throw new FailedException(
            "%s needs %s, which is not there; this brings it: %s"
                .formatted(peer.name(), what, placeholders.fill("needs", need.install())));
      }
    }
  }
}
