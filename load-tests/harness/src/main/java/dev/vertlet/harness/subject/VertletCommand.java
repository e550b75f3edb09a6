package dev.vertlet.harness.subject;

import dev.vertlet.agent.Main;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.loopback.LoopbackPorts;
import dev.vertlet.harness.run.AgentSettings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How vertlet is started in a process of its own: as the launcher does. */
final class VertletCommand {
  /** Of the launcher's {@code conf} directory, in its order: figures are those of its agents. */
  private static final List<String> OPTION_FILES = List.of("java.args", "agent.args");

  private VertletCommand() {}

  /** Writes its configuration. */
  static CommandLine of(SubjectSpec.Vertlet spec, SubjectEnvironment where) {
    Path config = where.dir().writeSecret("vertlet.json", settings(spec.profile(), where).json());
    Map<String, String> environment = new HashMap<>(where.environment());
    environment.putAll(spec.environment());
    return new CommandLine(
        words(environment, spec.javaOptions(), config),
        CommandLine.environment(where.environment(), spec.environment()));
  }

  static AgentSettings settings(Profile profile, SubjectEnvironment where) {
    return new AgentSettings(
        where.plan(),
        where.kubeconfig(),
        profile.toString(),
        where.dir().file("agent"),
        LoopbackPorts.next());
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
   * The launcher leaves one beside the agent's jar. A JVM that is another one than its, or finds
   * other jars, goes on without it.
   */
  static List<String> archive(Path classPath) {
    Path archive = classPath.resolveSibling("agent.jsa");
    return Files.isReadable(archive)
        ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off")
        : List.of();
  }

  /** An agent's jar names what it needs in its manifest; classes of a build do not. */
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
