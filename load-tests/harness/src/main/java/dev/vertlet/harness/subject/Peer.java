package dev.vertlet.harness.subject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program that serves nodes, as a file of {@code conf/examples/load/peers} tells it. Words of the
 * command, values of the environment, lines of files and the {@code file} of a need may hold {@link
 * Placeholders}.
 *
 * @param name in results
 * @param command program and arguments, each a word of its own; no shell reads them
 * @param version a command of the same kind whose first line of output is the program's version;
 *     empty for none
 * @param environment variables beside those of the load test
 * @param nodes who makes the Node objects
 * @param nodeAnnotations of Node objects that the load test makes
 * @param maxNodes how many nodes one process can serve; empty: any number
 * @param files to write before it starts, by their names in its directory, as lines
 * @param needs what has to be on the machine
 */
public record Peer(
    String name,
    String description,
    List<String> command,
    List<String> version,
    Map<String, String> environment,
    Nodes nodes,
    Map<String, String> nodeAnnotations,
    Optional<Integer> maxNodes,
    Map<String, List<String>> files,
    List<Need> needs) {
  public Peer {
    command = List.copyOf(command);
    version = List.copyOf(version);
    environment = Map.copyOf(environment);
    nodeAnnotations = Map.copyOf(nodeAnnotations);
    files = Map.copyOf(files);
    needs = List.copyOf(needs);
  }

  /** Who makes the Node objects. */
  public enum Nodes {
    /** The program; they have to carry the names that it is given. */
    OWN,
    /** The load test, before the program starts; its own label and annotations are on them. */
    CREATED
  }

  /** Something that has to be on the machine. */
  public sealed interface Need {
    /** Its name or path. */
    String what();

    /** The command that brings it. */
    String install();

    /** A program on PATH, in GOBIN, or where {@code go install} puts programs. */
    record Program(String what, String install) implements Need {}

    /** A file or directory. */
    record File(String what, String install) implements Need {}
  }

  /** A program that nothing is known of but its command line; it brings its nodes. */
  static Peer of(String name, List<String> command, Map<String, String> environment) {
    return new Peer(
        name,
        "",
        command,
        List.of(),
        environment,
        Nodes.OWN,
        Map.of(),
        Optional.empty(),
        Map.of(),
        List.of());
  }

  /** The same under another name, with more arguments and variables. */
  Peer with(String otherName, List<String> arguments, Map<String, String> variables) {
    List<String> words = new ArrayList<>(command);
    words.addAll(arguments);
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(variables);
    return new Peer(
        otherName,
        description,
        words,
        version,
        all,
        nodes,
        nodeAnnotations,
        maxNodes,
        files,
        needs);
  }
}
