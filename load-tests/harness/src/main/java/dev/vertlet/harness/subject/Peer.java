package dev.vertlet.harness.subject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Program that serves nodes, defined by a file of {@code conf/examples/load/peers}. Words of the
 * command, values of the environment, lines of files and the {@code file} of a need may contain
 * {@link Placeholders}.
 *
 * @param name name in results
 * @param command program and arguments, one word each; not parsed by a shell
 * @param version command whose first line of output is the program's version, in the same form;
 *     empty for none
 * @param environment variables in addition to the load test's
 * @param nodes creator of the Node objects
 * @param nodeAnnotations annotations of Node objects that the load test creates
 * @param maxNodes number of nodes that one process can serve; empty for any number
 * @param files lines of the files to write before the start, by name in the program's directory
 * @param needs requirements on the machine
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

  /** Creator of the Node objects. */
  public enum Nodes {
    /** The program creates its nodes, with the names given to it. */
    OWN,
    /**
     * The load test creates the nodes before the program starts, with its label and annotations.
     */
    CREATED
  }

  /** Requirement on the machine. */
  public sealed interface Need {
    /** Name or path. */
    String what();

    /** Command that installs it. */
    String install();

    /** Program on PATH, in GOBIN, or in the folder of {@code go install}. */
    record Program(String what, String install) implements Need {}

    /** A file or directory. */
    record File(String what, String install) implements Need {}
  }

  /** Creates a peer that is known only by its command line; it creates its nodes. */
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

  /** Returns the peer with another name and with additional arguments and variables. */
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
