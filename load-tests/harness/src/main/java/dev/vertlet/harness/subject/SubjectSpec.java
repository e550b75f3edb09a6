package dev.vertlet.harness.subject;

import dev.vertlet.kubelet.KubeletOptions.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Specification of a subject. */
public sealed interface SubjectSpec {
  /** Name in results. */
  String name();

  /** Number of nodes that it can serve; empty for any number. */
  default Optional<Integer> maxNodes() {
    return Optional.empty();
  }

  /** Creator of the Node objects; by default the subject, which adds the load's label. */
  default Peer.Nodes nodes() {
    return Peer.Nodes.OWN;
  }

  /** Command of the pods' containers; empty for that of their image. */
  default List<String> containerCommand() {
    return List.of();
  }

  /** Vertlet in the load test's process; the figures cover both. */
  record InProcess(String name, Profile profile) implements SubjectSpec {}

  /**
   * Vertlet in its own process.
   *
   * @param javaOptions options that override those of {@code conf}
   * @param environment variables in addition to the load test's; {@code JAVA_HOME} selects the Java
   */
  record Vertlet(
      String name, Profile profile, List<String> javaOptions, Map<String, String> environment)
      implements SubjectSpec {
    public Vertlet {
      javaOptions = List.copyOf(javaOptions);
      environment = Map.copyOf(environment);
    }
  }

  /**
   * Vertlet whose nodes are of provider {@code remote}. Its back end is {@code
   * docs/examples/remote/pods.py}, which runs beside it and counts for no figure.
   */
  record Remote(Vertlet vertlet) implements SubjectSpec {
    @Override
    public String name() {
      return vertlet.name();
    }

    @Override
    public List<String> containerCommand() {
      return List.of("sleep", "infinity");
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
