package dev.vertlet.harness.loadtest;

import java.nio.file.Files;
import java.nio.file.Path;

/** Which cluster a load test runs against. */
public sealed interface Target {
  /** An embedded API server in the process of the load test. */
  record Embedded() implements Target {
    @Override
    public String toString() {
      return "embedded";
    }
  }

  /**
   * An API server and its etcd of their own, real; with controllers where a scenario needs them.
   */
  record LocalControlPlane() implements Target {
    @Override
    public String toString() {
      return "control-plane";
    }
  }

  /**
   * A cluster that somebody else runs.
   *
   * @param kubeconfig of an administrator
   */
  record Existing(Path kubeconfig) implements Target {
    @Override
    public String toString() {
      return kubeconfig.toString();
    }
  }

  /**
   * Reads {@code embedded}, {@code control-plane} or the name of a kubeconfig file.
   *
   * @throws IllegalArgumentException when it is none of them
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
