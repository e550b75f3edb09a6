package dev.vertlet.harness.subject;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is to be measured. */
public sealed interface SubjectSpec {
  /** In results. */
  String name();

  /** How many nodes it can serve at most; empty for any number. */
  default Optional<Integer> maxNodes() {
    return Optional.empty();
  }

  /** Whether it makes its Node objects, and with the load's label on them. */
  default Peer.Nodes nodes() {
    return Peer.Nodes.OWN;
  }

  /** Vertlet in the load test's process, whose figures are then those of both. */
  record InProcess(String name, Profile profile) implements SubjectSpec {}

  /**
   * Vertlet in a process of its own.
   *
   * @param javaOptions above those of {@code conf}
   * @param environment variables beside those of the load test; {@code JAVA_HOME} chooses the Java
   */
  record Vertlet(
      String name, Profile profile, List<String> javaOptions, Map<String, String> environment)
      implements SubjectSpec {
    public Vertlet {
      javaOptions = List.copyOf(javaOptions);
      environment = Map.copyOf(environment);
    }
  }

  /** Any program. */
  record Program(Peer peer) implements SubjectSpec {
    @Override
    public String name() {
      return peer.name();
    }

    @Override
    public Optional<Integer> maxNodes() {
      return peer.maxNodes();
    }

    @Override
    public Peer.Nodes nodes() {
      return peer.nodes();
    }
  }
}
