package dev.vertlet.harness.subject;

import dev.vertlet.agent.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.loopback.LoopbackPorts;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How a peer is started: placeholders have values, the program is found, its files are there. */
final class PeerCommand {
  private final Peer peer;
  private final Surroundings where;
  private final Placeholders placeholders;

  private PeerCommand(Peer peer, Surroundings where) {
    this.peer = peer;
    this.where = where;
    this.placeholders = new Placeholders(values(where), goModules(where.environment()));
  }

  /**
   * Writes its files.
   *
   * @throws FailedException when something is missing on this machine, with what brings it
   */
  static CommandLine of(Peer peer, Surroundings where) {
    try {
      return new PeerCommand(peer, where).commandLine();
    } catch (IllegalArgumentException e) {
      throw new FailedException(peer.name() + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> values(Surroundings where) {
    LoadPlan plan = where.plan();
    return Map.of(
        "kubeconfig", where.kubeconfig().toString(),
        "dir", where.dir().file("").toString(),
        "node", plan.node(0),
        "node_prefix", plan.nodeTemplate().replace("{i}", ""),
        "node_template", plan.nodeTemplate(),
        "nodes", Integer.toString(plan.nodes()),
        "label", plan.label(),
        "port", Integer.toString(LoopbackPorts.next()),
        "home", home(where.environment()).toString());
  }

  private static Path home(Map<String, String> environment) {
    return Path.of(environment.getOrDefault("VERTLET_HOME", "")).toAbsolutePath();
  }

  private static Path goModules(Map<String, String> environment) {
    String modules = environment.getOrDefault("GOMODCACHE", "");
    return modules.isEmpty() ? goPath(environment).resolve("pkg/mod") : Path.of(modules);
  }

  /** Its first directory is the one that Go writes to. */
  private static Path goPath(Map<String, String> environment) {
    String path = environment.getOrDefault("GOPATH", "");
    return path.isEmpty()
        ? Path.of(environment.getOrDefault("HOME", ""), "go")
        : Path.of(path.split(File.pathSeparator, 2)[0]);
  }

  private CommandLine commandLine() {
    peer.needs().forEach(this::require);
    peer.files().forEach(this::write);
    List<String> words =
        peer.command().stream().map(word -> placeholders.fill("command", word)).toList();
    Map<String, String> environment = new HashMap<>();
    peer.environment()
        .forEach((name, value) -> environment.put(name, placeholders.fill(name, value)));
    return new CommandLine(
        Stream.concat(Stream.of(program(words.get(0))), words.stream().skip(1)).toList(),
        CommandLine.environment(where.environment(), environment));
  }

  private void write(String name, List<String> lines) {
    List<String> filled = lines.stream().map(line -> placeholders.fill(name, line)).toList();
    where.dir().writeSecret(name, String.join("\n", filled) + "\n");
  }

  private void require(Peer.Need need) {
    String missing =
        need instanceof Peer.Need.Program program
            ? find(placeholders.fill("needs", program.name())).isPresent() ? "" : program.name()
            : missing((Peer.Need.File) need);
    if (!missing.isEmpty()) {
      throw new FailedException(
          "%s needs %s, which is not there; this brings it: %s"
              .formatted(peer.name(), missing, placeholders.fill("needs", need.install())));
    }
  }

  private String missing(Peer.Need.File need) {
    String path = placeholders.fill("needs", need.path());
    return Files.exists(Path.of(path)) ? "" : path;
  }

  private String program(String name) {
    return find(name)
        .map(Path::toString)
        .orElseThrow(
            () ->
                new FailedException(
                    "%s: %s is no program that can be run".formatted(peer.name(), name)));
  }

  /** As a shell does, and where {@code go install} puts programs. */
  private Optional<Path> find(String name) {
    if (name.contains("/")) {
      return Optional.of(Path.of(name)).filter(PeerCommand::runs).map(Path::toAbsolutePath);
    }
    Map<String, String> environment = where.environment();
    return Stream.of(
            Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator)),
            Stream.of(environment.getOrDefault("GOBIN", "")),
            Stream.of(goPath(environment).resolve("bin").toString()))
        .flatMap(folders -> folders)
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(PeerCommand::runs)
        .findFirst();
  }

  private static boolean runs(Path file) {
    return Files.isExecutable(file) && !Files.isDirectory(file);
  }
}
