package dev.vertlet.testing;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pods as a watch would deliver them; each method gives a changed copy. */
public record TestPods(
    String name,
    long version,
    long specHash,
    Map<String, String> labels,
    PodPhase phase,
    @Nullable Long grace) {
  public static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

  public static TestPods pod(String name) {
    return new TestPods(name, 1, 1, Map.of(), PodPhase.PENDING, null);
  }

  public TestPods at(long resourceVersion) {
    return new TestPods(name, resourceVersion, specHash, labels, phase, grace);
  }

  public TestPods withSpec(long hash) {
    return new TestPods(name, version, hash, labels, phase, grace);
  }

  public TestPods withLabels(Map<String, String> value) {
    return new TestPods(name, version, specHash, value, phase, grace);
  }

  public TestPods in(PodPhase value) {
    return new TestPods(name, version, specHash, labels, value, grace);
  }

  public TestPods deleted(long graceSeconds) {
    return new TestPods(name, version, specHash, labels, phase, graceSeconds);
  }

  public PodRef ref() {
    return new PodRef("default", name, "uid-" + name);
  }

  public PodView view() {
    Pods pod =
        Pods.pod()
            .ref(ref())
            .version(version)
            .hash(specHash)
            .node("node")
            .labels(labels)
            .created(CREATED)
            .container("main", "image")
            .status(status(phase));
    return grace == null ? pod.build() : pod.deleted(CREATED.plusSeconds(grace), grace).build();
  }

  public static PodStatusView status(PodPhase phase) {
    return Statuses.in(phase).build();
  }

  /** The mirror of a static pod, with this phase and reason. */
  public static PodView mirror(
      PodView of, String name, String uid, PodPhase phase, @Nullable String reason) {
    return Pods.of(of)
        .ref(new PodRef("default", name, uid))
        .version(1)
        .node("node")
        .labels(Map.of())
        .annotations(Map.of("kubernetes.io/config.mirror", of.uid()))
        .owner("Node")
        .created(null)
        .status(Statuses.in(phase).why(reason, null).build())
        .build();
  }
}
