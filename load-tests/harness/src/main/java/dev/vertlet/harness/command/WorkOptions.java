package dev.vertlet.harness.command;

import dev.vertlet.model.GoDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options for the number of nodes and pods, for every command that creates them. */
final class WorkOptions {
  private static final int MAX_NODES = 10_000;

  /** Limit of pods per node: as many as an agent has been seen to run. */
  private static final int PODS_PER_NODE = 10_000;

  /** Time limit without objects: a cold start on a busy machine. */
  private static final Duration BASE_TIMEOUT = Duration.ofMinutes(2);

  /** Additional time limit per object: 50 objects/s, a tenth of what two slow cores reach. */
  private static final Duration TIMEOUT_PER_OBJECT = Duration.ofMillis(20);

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "10",
      description = "Virtual nodes, 1 to 10000. Default: ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--pods",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Pods, spread evenly over the nodes. Default: ${DEFAULT-VALUE}.")
  private int pods;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "For all of the work, for example 90s or 10m, without the start of a control plane. Default:"
              + " 2m, 20ms for each node and pod, twice what rates and life times take, and the"
              + " grace of pods that are deleted.")
  private @Nullable String timeout;

  int nodes() {
    return require("--nodes", nodes, 1, MAX_NODES);
  }

  int pods() {
    return pods(nodes());
  }

  /** Number of pods, checked against a number of nodes other than {@code --nodes}. */
  int pods(int onNodes) {
    int most = PODS_PER_NODE * onNodes;
    if (pods < 0 || pods > most) {
      throw new ParameterException(
          command.commandLine(),
          "--pods: %d must be from 0 to %d, %d for each node".formatted(pods, most, PODS_PER_NODE));
    }
    return pods;
  }

  /** Whether {@code --nodes} was given. */
  boolean nodesGiven() {
    return given("--nodes");
  }

  /** Whether {@code --pods} was given. */
  boolean podsGiven() {
    return given("--pods");
  }

  private boolean given(String option) {
    return command.commandLine().getParseResult().hasMatchedOption(option);
  }

  Duration timeout() {
    return timeout(BASE_TIMEOUT.plus(TIMEOUT_PER_OBJECT.multipliedBy((long) nodes + pods)));
  }

  /**
   * Time limit.
   *
   * @param usual limit without {@code --timeout}
   */
  Duration timeout(Duration usual) {
    if (timeout == null) {
      return usual;
    }
    return timeout(timeout, command.commandLine());
  }

  /**
   * Parses a time limit.
   *
   * @throws ParameterException when it is not a duration of at least 1 s
   */
  static Duration timeout(String text, CommandLine command) {
    Duration parsed = parse(text, command);
    if (parsed.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new ParameterException(
          command, "--timeout: \"%s\" must be at least 1s".formatted(text));
    }
    return parsed;
  }

  private static Duration parse(String text, CommandLine command) {
    try {
      return GoDuration.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command, "--timeout: \"%s\" must be a duration such as 90s or 10m".formatted(text), e);
    }
  }

  /**
   * Checks the range of an option.
   *
   * @throws ParameterException with the option, its value and the allowed range
   */
  int require(String option, int value, int min, int max) {
    return require(option, value, min, max, command.commandLine());
  }

  /** Checks the range of an option of another command. */
  static int require(String option, int value, int min, int max, CommandLine command) {
    if (value < min || value > max) {
      throw new ParameterException(
          command, "%s: %d must be from %d to %d".formatted(option, value, min, max));
    }
    return value;
  }
}
