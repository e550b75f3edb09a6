package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What people write with the clients of Kubernetes, {@code load-tests/clients}. */
enum ClientProgram {
  /** With its default transport, of Vert.x 4. */
  FABRIC8_VERTX,
  FABRIC8_OKHTTP,
  FABRIC8_JDK,
  JAVA {
    @Override
    List<String> command() throws Exception {
      return java("official");
    }
  },
  PYTHON {
    @Override
    List<String> command() {
      return List.of("python3", Path.of("..", "clients", "python", "client.py").toString());
    }

    @Override
    Map<String, String> environment() throws Exception {
      Path packages =
          CachedBuild.of(
              "client-python",
              "clients/python",
              List.of("requirements.txt"),
              List.of(
                  "python3",
                  "-m",
                  "pip",
                  "install",
                  "-q",
                  "--target",
                  "{}",
                  "-r",
                  "requirements.txt"));
      return Map.of("PYTHONPATH", packages.toString());
    }
  },
  GO_WEBSOCKET {
    @Override
    List<String> command() throws Exception {
      return go("websocket");
    }
  },
  GO_SPDY {
    @Override
    List<String> command() throws Exception {
      return go("spdy");
    }
  };

  private static final String JAVA_MODULE = "clients/java";

  /** What is run, up to the kubeconfig. */
  List<String> command() throws Exception {
    return java(name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  Map<String, String> environment() throws Exception {
    return Map.of();
  }

  private static List<String> java(String client) throws Exception {
    Path module = Path.of("..", JAVA_MODULE);
    List<String> keys = new ArrayList<>(List.of("pom.xml"));
    try (Stream<Path> files = Files.walk(module.resolve("src"))) {
      files
          .filter(Files::isRegularFile)
          .map(file -> module.relativize(file).toString())
          .sorted()
          .forEach(keys::add);
    }
    Path built =
        CachedBuild.of(
            "client-java",
            JAVA_MODULE,
            keys,
            List.of(
                "mvn",
                "-q",
                "-B",
                "-ntp",
                "-Dbuild.folder={}",
                "compile",
                "dependency:copy-dependencies"));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        built.resolve("classes") + File.pathSeparator + built.resolve("lib").resolve("*"),
        "dev.vertlet.clients.Main",
        client);
  }

  private static List<String> go(String wire) throws Exception {
    return List.of(CachedBuild.ofGo("client-go", "clients/go", ".", "main.go").toString(), wire);
  }

  /**
   * Runs it to its end.
   *
   * @param pod has a container {@code main} that writes a log
   * @return its lines
   */
  List<String> run(Path dir, Path kubeconfig, String namespace, String pod) throws Exception {
    Path folder = Files.createDirectory(dir.resolve("client-" + name()));
    List<String> command = new ArrayList<>(command());
    command.addAll(
        List.of(
            kubeconfig.toString(),
            namespace,
            pod,
            "main",
            "client-" + name().toLowerCase(Locale.ROOT).replace('_', '-')));
    ProcessBuilder builder = Launcher.process(folder, command);
    builder.environment().putAll(environment());
    Launcher.Outcome outcome = Launcher.await(builder.start(), folder);
    assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
    return outcome.out().lines().toList();
  }
}
