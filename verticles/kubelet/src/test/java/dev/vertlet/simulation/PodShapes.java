package dev.vertlet.simulation;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import dev.vertlet.testing.Statuses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Draws pods of many shapes, and changes to them. */
final class PodShapes {
  private final SplittableRandom random;
  private long specs;

  PodShapes(SplittableRandom random) {
    this.random = random;
  }

  PodView draw(PodRef ref, String node, long revision, Instant now) {
    List<ContainerView> init = new ArrayList<>();
    List<ContainerView> regular = new ArrayList<>();
    int before = Math.max(0, random.nextInt(5) - 2);
    for (int i = 0; i < before; i++) {
      RestartPolicy own = random.nextBoolean() ? RestartPolicy.ALWAYS : null;
      init.add(container("i" + i, "img", own));
    }
    int beside = 1 + random.nextInt(2);
    for (int i = 0; i < beside; i++) {
      regular.add(container("c" + i, "img", null));
    }
    Long deadline = random.nextInt(12) == 0 ? Long.valueOf(20 + random.nextInt(100)) : null;
    Pods pod =
        Pods.pod()
            .ref(ref)
            .version(revision)
            .hash(++specs)
            .policy(RestartPolicy.values()[random.nextInt(3)])
            .grace(1 + random.nextInt(15))
            .placement(placement())
            .node(node)
            .created(now);
    init.forEach(pod::init);
    regular.forEach(pod::container);
    return deadline == null ? pod.build() : pod.deadline(deadline).build();
  }

  private static ContainerView container(String name, String image, @Nullable RestartPolicy own) {
    return new ContainerView(name, image, "IfNotPresent", own);
  }

  /** Now and then more than a node has. */
  private PlacementView placement() {
    if (random.nextInt(10) > 0) {
      return PlacementView.NONE;
    }
    return Placements.asking(new PodRequests(500L * random.nextInt(10), 0, 0, Map.of())).build();
  }

  PodView withImage(PodView pod) {
    ContainerView first = pod.spec().containers().get(0);
    return Pods.of(pod)
        .hash(++specs)
        .generation(pod.generation() + 1)
        .image(first.name(), "img" + random.nextInt(3))
        .build();
  }

  PodView withLabel(PodView pod) {
    return Pods.of(pod).labels(Map.of("l", Integer.toString(random.nextInt(1000)))).build();
  }

  static PodView deleted(PodView pod, Instant at, long grace) {
    return Pods.of(pod).generation(pod.generation() + 1).deleted(at, grace).build();
  }

  /** As if nobody had deleted it. */
  static PodView undeleted(PodView pod) {
    return Pods.of(pod).deleted(null, null).build();
  }

  /** With other counts of restarts. */
  static PodStatusView withRestarts(PodStatusView s, IntUnaryOperator count) {
    return Statuses.of(s)
        .containers(
            withRestarts(s.initContainerStatuses(), count),
            withRestarts(s.containerStatuses(), count),
            s.ephemeralContainerStatuses())
        .build();
  }

  private static List<ContainerStatusView> withRestarts(
      List<ContainerStatusView> containers, IntUnaryOperator count) {
    return containers.stream()
        .map(
            c ->
                new ContainerStatusView(
                    c.name(),
                    c.image(),
                    c.imageId(),
                    c.containerId(),
                    count.applyAsInt(c.restartCount()),
                    c.ready(),
                    c.started(),
                    c.state(),
                    c.lastState()))
        .toList();
  }

  static PodView at(PodView pod, long revision) {
    return Pods.of(pod).version(revision).build();
  }
}
