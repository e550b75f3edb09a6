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
 * What is on this machine.
 *
 * @param environment whose {@code PATH} counts, and those variables that say where Go puts things
 */
record Installed(Map<String, String> environment) {
  /** Vertlet's own directory. */
  Path home() {
    return Path.of(environment.getOrDefault("VERTLET_HOME", "")).toAbsolutePath();
  }

  /** Where Go keeps modules. */
  Path goModules() {
    String modules = environment.getOrDefault("GOMODCACHE", "");
    return modules.isEmpty() ? goPath().resolve("pkg/mod") : Path.of(modules);
  }

  /** Its first directory is the one that Go writes to. */
  private Path goPath() {
    String path = environment.getOrDefault("GOPATH", "");
    return path.isEmpty()
        ? Path.of(environment.getOrDefault("HOME", ""), "go")
        : Path.of(path.split(File.pathSeparator, 2)[0]);
  }

  /** A program as a shell finds it, or where {@code go install} puts it. */
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
   * @throws FailedException when something that a peer needs is missing, with what brings it
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
