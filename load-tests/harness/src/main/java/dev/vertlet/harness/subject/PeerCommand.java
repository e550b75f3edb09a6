package dev.vertlet.harness.subject;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Command lines that start a peer and print its version: fills the placeholders, finds the program
 * and writes its files.
 */
final class PeerCommand {
  private final Peer peer;
  private final SubjectEnvironment where;
  private final Installed installed;
  private final Placeholders placeholders;

  private PeerCommand(Peer peer, SubjectEnvironment where) {
    this.peer = peer;
    this.where = where;
    this.installed = new Installed(where.environment());
    this.placeholders = new Placeholders(values(where, installed), installed.goModules());
  }

  /**
   * Writes the peer's files and returns its command line.
   *
   * @throws FailedException when a requirement is missing on this machine, with a hint how to
   *     install it
   */
  static CommandLine of(Peer peer, SubjectEnvironment where) {
    try {
      return new PeerCommand(peer, where).start();
    } catch (IllegalArgumentException e) {
      throw new FailedException(peer.name() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Command line that prints the version of a peer that has such a command.
   *
   * @throws FailedException when the program is missing
   * @throws IllegalArgumentException for an unknown placeholder
   */
  static CommandLine version(Peer peer, SubjectEnvironment where) {
    return new PeerCommand(peer, where).commandLine("version", peer.version());
  }

  private static Map<String, String> values(SubjectEnvironment where, Installed installed) {
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
        "home", installed.home().toString());
  }

  private CommandLine start() {
    installed.require(peer);
    peer.files().forEach(this::write);
    return commandLine("command", peer.command());
  }

  private CommandLine commandLine(String field, List<String> command) {
    List<String> words = command.stream().map(word -> placeholders.fill(field, word)).toList();
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

  private String program(String name) {
    return installed
        .program(name)
        .map(Path::toString)
        .orElseThrow(
            () ->
                new FailedException(
                    "%s: %s is no program that can be run".formatted(peer.name(), name)));
  }
}
