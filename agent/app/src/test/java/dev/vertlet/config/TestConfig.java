package dev.vertlet.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.problem.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Loads configurations on a machine that is the same everywhere. */
final class TestConfig {
  static final Host HOST =
      new Host("host-1", "192.0.2.7", "Debian", "6.1", 4, Path.of("/home/me"), false);

  private TestConfig() {}

  static Environment environment(Map<String, String> variables) {
    return new Environment(variables, HOST);
  }

  static VertletConfig load(String text, ConfigOverride... settings) {
    return new ConfigLoader(environment(Map.of()))
        .parse("f.json", text, List.of(settings))
        .config();
  }

  static List<String> mistakes(String text, ConfigOverride... settings) {
    return lines(() -> load(text, settings));
  }

  static List<String> mistakes(Path file) {
    return lines(() -> new ConfigLoader(environment(Map.of())).load(file, List.of()));
  }

  private static List<String> lines(org.assertj.core.api.ThrowableAssert.ThrowingCallable load) {
    return catchThrowableOfType(ConfigException.class, load).problems().stream()
        .map(Problem::toString)
        .toList();
  }
}
