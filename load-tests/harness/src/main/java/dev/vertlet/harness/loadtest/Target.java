package dev.vertlet.harness.loadtest;

import java.nio.file.Files;
import java.nio.file.Path;

/** Cluster that a load test runs against. */
public sealed interface Target {
  /** Embedded API server in the load test's process. */
  record Embedded() implements Target {
    @Override
    public String toString() {
      return "embedded";
    }
  }

  /** Real API server with its own etcd; with controllers if a scenario needs them. */
  record LocalControlPlane() implements Target {
    @Override
    public String toString() {
      return "control-plane";
    }
  }

  /**
   * Existing cluster.
   *
   * @param kubeconfig kubeconfig of an administrator
   */
  record Existing(Path kubeconfig) implements Target {
    @Override
    public String toString() {
      return kubeconfig.toString();
    }
  }

  /**
   * Parses {@code embedded}, {@code control-plane} or the name of a kubeconfig file.
   *
   * @throws IllegalArgumentException for any other text
   */
  static Target parse(String text) {
    return switch (text) {
      case "embedded" -> new Embedded();
      case "control-plane" -> new LocalControlPlane();
      default -> existing(Path.of(text));
    };
  }

  private static Target existing(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "\"%s\" must be embedded, control-plane, or a kubeconfig file that can be read"
              .formatted(file));
    }
    return new Existing(file.toAbsolutePath());
  }
}
