package dev.vertlet.harness.run;

import dev.vertlet.agent.FailedException;
import dev.vertlet.harness.load.ProcessUsage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An agent in a process of its own, started as the launcher does. */
public final class ForkedAgent implements AutoCloseable {
  /** More than {@code agent.shutdownTimeout}. */
  private static final int STOP_SECONDS = 15;

  private static final int LOG_LINES = 5;

  /** Of the launcher's {@code conf} directory, in its order: figures are those of its agents. */
  private static final List<String> OPTION_FILES = List.of("java.args", "agent.args");

  private final Process process;
  private final Path log;

  private ForkedAgent(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param dir for its configuration and log
   */
  public static ForkedAgent start(AgentSettings settings, RunDir dir) {
    Path config = dir.writeSecret("vertlet.json", settings.json());
    Path log = dir.file("agent.log");
    ProcessBuilder builder =
        new ProcessBuilder(command(System.getenv(), config))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(new File("/dev/null"));
    // variables stand above the file, and nobody meant them for this agent
    builder.environment().keySet().removeIf(name -> name.startsWith("VERTLET_"));
    try {
      return new ForkedAgent(builder.start(), log);
    } catch (IOException e) {
      throw new FailedException("cannot start the agent: " + e.getMessage(), e);
    }
  }

  static List<String> command(Map<String, String> environment, Path config) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String home = environment.get("VERTLET_HOME");
    if (home != null) {
      for (String options : OPTION_FILES) {
        command.add("@" + Path.of(home, "conf", options));
      }
    }
    for (String option : environment.getOrDefault("VERTLET_JAVA_OPTS", "").split("\\s+")) {
      if (!option.isEmpty()) {
        command.add(option);
      }
    }
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "dev.vertlet.agent.Main",
            "agent",
            "--config",
            config.toString()));
    return command;
  }

  /** What it has used so far. */
  public ProcessUsage usage() {
    return ProcessUsage.of(process.toHandle());
  }

  /**
   * @throws FailedException when it runs no more, with the end of its log
   */
  public void requireAlive() {
    if (!process.isAlive()) {
      throw new FailedException(
          "the agent ended with exit code %d: %s".formatted(process.exitValue(), lastLines()));
    }
  }

  private String lastLines() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("; ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "its log cannot be read: " + e.getMessage();
    }
  }

  /** SIGTERM, and SIGKILL when that does not help. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
