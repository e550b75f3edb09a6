package dev.vertlet.harness.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds a {@code go} command that can build the control plane. */
final class GoToolchain {
  /** Oldest Go version that {@code load-tests/kubernetes/go.mod} accepts. */
  private static final int MAJOR = 1;

  private static final int MINOR = 26;

  private static final Pattern VERSION = Pattern.compile("\\bgo(\\d+)\\.(\\d+)");

  private GoToolchain() {}

  static Optional<Path> locate(Map<String, String> environment) {
    return onPath("go", environment).filter(GoToolchain::isRecent);
  }

  /** Finds the first executable of this name in the folders of PATH. */
  static Optional<Path> onPath(String name, Map<String, String> environment) {
    return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
        .findFirst();
  }

  /** Whether the output of {@code go version} names Go 1.26 or newer. */
  static boolean isRecent(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.find()) {
      return false;
    }
    int major = Integer.parseInt(matcher.group(1));
    return major > MAJOR || (major == MAJOR && Integer.parseInt(matcher.group(2)) >= MINOR);
  }

  private static boolean isRecent(Path go) {
    try {
      return isRecent(version(go));
    } catch (IOException notRunnable) {
      return false;
    }
  }

  /** Returns the output of {@code go version}: the compiler and its target platform. */
  static String version(Path go) throws IOException {
    Process process =
        new ProcessBuilder(List.of(go.toString(), "version")).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes());
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0
          ? output.strip()
          : "";
    } catch (InterruptedException e) {
      throw ControlPlaneException.interrupted("asking " + go + " for its version", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
