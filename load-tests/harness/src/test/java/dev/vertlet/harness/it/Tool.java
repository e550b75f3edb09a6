package dev.vertlet.harness.it;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Tools of single tests that not every machine has. */
enum Tool {
  /** Chromium, at {@code CHROME_BIN} or on the path. */
  BROWSER("chromium, chromium-browser or google-chrome on PATH, and no CHROME_BIN") {
    @Override
    Optional<Path> find() {
      return Stream.ofNullable(System.getenv("CHROME_BIN"))
          .map(Path::of)
          .filter(Files::isExecutable)
          .findFirst()
          .or(() -> onPath("chromium", "chromium-browser", "google-chrome"));
    }
  },

  /** A container runtime in namespaces of the tests' own. */
  CONTAINERS(
      "container runtime, which load-tests/cri/bin/java starts tests beside where containers can"
          + " run: load-tests/cri/run --check says why not") {
    @Override
    Optional<Path> find() {
      return Optional.ofNullable(System.getenv(ContainerLab.SOCKET)).map(Path::of);
    }
  },

  /** The library that sets the clock of one process, where Debian installs it. */
  FAKETIME("faketime/libfaketime.so.1 in /usr/lib: Debian's package faketime has it") {
    @Override
    Optional<Path> find() {
      return Stream.of("x86_64", "aarch64")
          .map(arch -> Path.of("/usr/lib", arch + "-linux-gnu", "faketime", "libfaketime.so.1"))
          .filter(Files::isReadable)
          .findFirst();
    }
  },

  /** The image, and what runs it. */
  IMAGE(
      Image.WHOLE
          + " in image/target (mvn -Pimage package makes it),"
          + " or no root, containerd, ctr and runc to run it") {
    @Override
    Optional<Path> find() {
      return Optional.of(Image.FOLDER.resolve(Image.WHOLE))
          .filter(Files::isRegularFile)
          .filter(image -> "root".equals(System.getProperty("user.name")))
          .filter(image -> Stream.of("containerd", "ctr", "runc").allMatch(Tool::isOnPath));
    }
  },

  /** The server, and what tests its rules. */
  PROMETHEUS(
      Prometheus.PROGRAM
          + " and "
          + Prometheus.RULES_PROGRAM
          + " on PATH: the package prometheus has both") {
    @Override
    Optional<Path> find() {
      return onPath(Prometheus.PROGRAM).filter(found -> isOnPath(Prometheus.RULES_PROGRAM));
    }
  },

  REGISTRY(ImageRegistry.PROGRAM + " on PATH: the package of that name has it") {
    @Override
    Optional<Path> find() {
      return onPath(ImageRegistry.PROGRAM);
    }
  };

  private final String description;

  Tool(String description) {
    this.description = description;
  }

  /** The file of the tool, if it is installed. */
  abstract Optional<Path> find();

  /** What is not installed, and where it comes from; empty if everything is there. */
  final Optional<String> missing() {
    return find().isPresent() ? Optional.empty() : Optional.of("no " + description);
  }

  private static boolean isOnPath(String program) {
    return onPath(program).isPresent();
  }

  /** The first of several programs that is on the path. */
  private static Optional<Path> onPath(String... programs) {
    return Stream.of(programs)
        .flatMap(
            program ->
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                    .map(folder -> Path.of(folder, program)))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
