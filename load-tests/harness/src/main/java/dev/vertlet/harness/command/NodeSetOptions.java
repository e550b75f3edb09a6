package dev.vertlet.harness.command;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.TextFile;
import dev.vertlet.config.process.Environment;
import dev.vertlet.harness.nodes.NodePattern;
import dev.vertlet.model.Names;
import dev.vertlet.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options for the template and the number of nodes of a set. */
final class NodeSetOptions {
  /** Limit of {@code --count}: twice as many nodes as one agent may have. */
  private static final int MOST_NODES = 100_000;

  private static final String BUILT_IN = "/dev/vertlet/harness/nodes/node.yaml";

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--count",
      paramLabel = "N",
      required = true,
      description = "How many nodes the set is to have, 0 to 100000.")
  private int count;

  @Option(
      names = "--template",
      paramLabel = "FILE",
      description =
          "A Node in YAML or JSON: {i} is the number of a node, {node} its name, $${NAME} a"
              + " variable. Default: what \"vertlet nodes template\" prints.")
  private @Nullable Path template;

  @Option(
      names = "--name-prefix",
      paramLabel = "PREFIX",
      description = "Names the nodes PREFIX0, PREFIX1 and so on. Default: as the template says.")
  private @Nullable String namePrefix;

  int count() {
    return WorkOptions.require("--count", count, 0, MOST_NODES, command.commandLine());
  }

  /** Text of the built-in template. */
  static String builtIn() {
    try (InputStream text = NodeSetOptions.class.getResourceAsStream(BUILT_IN)) {
      return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Template of the nodes.
   *
   * @throws ConfigException with the template's mistakes
   */
  NodePattern pattern(Environment environment) {
    int nodes = count();
    String prefix = namePrefix;
    if (prefix != null) {
      requirePrefix(prefix, command);
    }
    String place = template == null ? "the built-in template" : template.toString();
    String text = template == null ? builtIn() : TextFile.read(template);
    NodePattern read = NodePattern.read(place, text.getBytes(StandardCharsets.UTF_8), environment);
    return (prefix == null ? read : read.named(prefix)).require(place, Math.max(1, nodes));
  }

  /** Reports a template that the API server refused like one that this command refuses. */
  ConfigException refused(String message) {
    String place = template == null ? "the built-in template" : template.toString();
    return new ConfigException(Problem.about(place, "refused: " + message));
  }

  /**
   * Checks that a node's name can have this prefix.
   *
   * @throws ParameterException when it cannot
   */
  static void requirePrefix(String prefix, CommandSpec command) {
    Names.checkSubdomain(prefix + "0")
        .ifPresent(
            rule -> {
              throw new ParameterException(
                  command.commandLine(),
                  "--name-prefix: \"%s\" %s".formatted(prefix, Names.demand(rule)));
            });
  }
}
