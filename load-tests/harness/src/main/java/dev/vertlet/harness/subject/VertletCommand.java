package dev.vertlet.harness.subject;

import dev.vertlet.agent.Main;
import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.run.AgentSettings;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Command line of vertlet in its own process, like the launcher's. */
public final class VertletCommand {
  /** JVM option files of {@code conf}, in the launcher's order, so that figures are comparable. */
  private static final List<String> OPTION_FILES = List.of("java.args", "agent.args");

  private VertletCommand() {}

  /**
   * Writes the configuration and returns the command line.
   *
   * @param backend back end of provider {@code remote}; empty for simulated nodes
   */
  static CommandLine of(SubjectSpec.Vertlet spec, SubjectEnvironment where, Optional<URI> backend) {
    Path config =
        where.dir().writeSecret("vertlet.json", settings(spec.profile(), where, backend).json());
    Map<String, String> environment = new HashMap<>(where.environment());
    environment.putAll(spec.environment());
    return new CommandLine(
        words(environment, spec.javaOptions(), config),
        CommandLine.environment(where.environment(), spec.environment()));
  }

  static AgentSettings settings(Profile profile, SubjectEnvironment where, Optional<URI> backend) {
    return new AgentSettings(
        where.plan(),
        where.kubeconfig(),
        profile.toString(),
        where.dir().file("agent"),
        LoopbackPorts.next(),
        backend);
  }

  static List<String> words(
      Map<String, String> environment, List<String> javaOptions, Path config) {
    List<String> words = new ArrayList<>();
    words.add(java(environment).toString());
    String home = environment.get("VERTLET_HOME");
    if (home != null) {
      for (String options : OPTION_FILES) {
        words.add("@" + Path.of(home, "conf", options));
      }
    }
    String classPath = classPath();
    words.addAll(archive(Path.of(classPath)));
    words.addAll(CommandLineSplitter.of(environment.getOrDefault("VERTLET_JAVA_OPTS", "")));
    words.addAll(javaOptions);
    words.addAll(
        List.of("-cp", classPath, Main.class.getName(), "agent", "--config", config.toString()));
    return words;
  }

  /**
   * Option for the class data archive that the launcher leaves beside the agent's jar. A JVM that
   * does not match it, or that finds other jars, runs without it.
   */
  public static List<String> archive(Path classPath) {
    Path archive = classPath.resolveSibling("agent.jsa");
    return Files.isReadable(archive)
        ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off")
        : List.of();
  }

  /** Class path of the agent: its jar, whose manifest names the rest, or that of the build. */
  private static String classPath() {
    CodeSource source = Main.class.getProtectionDomain().getCodeSource();
    String location = source == null ? "" : source.getLocation().getPath();
    return location.endsWith(".jar")
        ? URLDecoder.decode(location, StandardCharsets.UTF_8)
        : System.getProperty("java.class.path");
  }

  private static Path java(Map<String, String> environment) {
    String home = environment.get("JAVA_HOME");
    Path java = Path.of(home == null ? System.getProperty("java.home") : home, "bin", "java");
    if (!Files.isExecutable(java)) {
      throw new FailedException("JAVA_HOME is %s, which has no bin/java".formatted(home));
    }
    return java;
  }
}
