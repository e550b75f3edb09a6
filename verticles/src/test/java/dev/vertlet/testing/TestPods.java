package dev.vertlet.testing;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.RestartPolicy;
import java.time.Instant;
import java.util.List;
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
    PodSpecView spec =
        new PodSpecView(
            specHash,
            RestartPolicy.ALWAYS,
            30,
            null,
            false,
            0,
            List.of(),
            List.of(),
            List.of(new ContainerView("main", "image", "IfNotPresent", null)),
            List.of());
    return new PodView(
        ref(),
        version,
        1,
        "node",
        labels,
        Map.of(),
        null,
        CREATED,
        grace == null ? null : CREATED.plusSeconds(grace),
        grace,
        spec,
        status(phase));
  }

  public static PodStatusView status(PodPhase phase) {
    return new PodStatusView(
        phase, null, null, null, List.of(), null, null, List.of(), List.of(), List.of(), List.of());
  }

  /** The mirror of a static pod, with this phase and reason. */
  public static PodView mirror(
      PodView of, String name, String uid, PodPhase phase, @Nullable String reason) {
    PodStatusView status =
        new PodStatusView(
            phase, reason, null, null, List.of(), null, null, List.of(), List.of(), List.of(),
            List.of());
    return new PodView(
        new PodRef("default", name, uid),
        1,
        1,
        "node",
        Map.of(),
        Map.of("kubernetes.io/config.mirror", of.uid()),
        "Node",
        null,
        null,
        null,
        of.spec(),
        status);
  }
}
