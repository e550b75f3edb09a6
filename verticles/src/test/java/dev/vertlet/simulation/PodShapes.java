package dev.vertlet.simulation;

import dev.vertlet.model.ContainerStatusView;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.NetworkView;
import dev.vertlet.model.PlacementView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodRequests;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.RestartPolicy;
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
    PodSpecView spec =
        new PodSpecView(
            ++specs,
            RestartPolicy.values()[random.nextInt(3)],
            1 + random.nextInt(15),
            deadline,
            false,
            0,
            List.of(),
            init,
            regular,
            List.of(),
            "",
            true,
            placement(),
            NetworkView.DEFAULT);
    return new PodView(
        ref,
        revision,
        1,
        node,
        Map.of(),
        Map.of(),
        null,
        now,
        null,
        null,
        spec,
        PodStatusView.EMPTY);
  }

  private static ContainerView container(String name, String image, @Nullable RestartPolicy own) {
    return new ContainerView(name, image, "IfNotPresent", own);
  }

  /** Now and then more than a node has. */
  private PlacementView placement() {
    if (random.nextInt(10) > 0) {
      return PlacementView.NONE;
    }
    PodRequests cpu = new PodRequests(500L * random.nextInt(10), 0, 0, Map.of());
    return new PlacementView(cpu, List.of(), Map.of(), List.of(), List.of(), "");
  }

  PodView withImage(PodView pod) {
    PodSpecView old = pod.spec();
    List<ContainerView> regular = new ArrayList<>(old.containers());
    ContainerView first = regular.get(0);
    regular.set(0, container(first.name(), "img" + random.nextInt(3), first.restartPolicy()));
    PodSpecView spec =
        new PodSpecView(
            ++specs,
            old.restartPolicy(),
            old.terminationGracePeriodSeconds(),
            old.activeDeadlineSeconds(),
            old.hostNetwork(),
            old.priority(),
            old.readinessGates(),
            old.initContainers(),
            regular,
            old.ephemeralContainers(),
            old.serviceAccountName(),
            old.enableServiceLinks(),
            old.placement(),
            old.network());
    return copy(
        pod,
        pod.generation() + 1,
        pod.labels(),
        pod.deletionTimestamp(),
        pod.deletionGracePeriodSeconds(),
        spec,
        pod.status());
  }

  PodView withLabel(PodView pod) {
    Map<String, String> labels = Map.of("l", Integer.toString(random.nextInt(1000)));
    return copy(
        pod,
        pod.generation(),
        labels,
        pod.deletionTimestamp(),
        pod.deletionGracePeriodSeconds(),
        pod.spec(),
        pod.status());
  }

  static PodView deleted(PodView pod, Instant at, long grace) {
    return copy(pod, pod.generation() + 1, pod.labels(), at, grace, pod.spec(), pod.status());
  }

  /** As if nobody had deleted it. */
  static PodView undeleted(PodView pod) {
    return copy(pod, pod.generation(), pod.labels(), null, null, pod.spec(), pod.status());
  }

  /** With other counts of restarts. */
  static PodStatusView withRestarts(PodStatusView s, IntUnaryOperator count) {
    return new PodStatusView(
        s.phase(),
        s.reason(),
        s.message(),
        s.hostIP(),
        s.otherHostIPs(),
        s.podIPs(),
        s.startTime(),
        s.observedGeneration(),
        s.conditions(),
        withRestarts(s.initContainerStatuses(), count),
        withRestarts(s.containerStatuses(), count),
        s.ephemeralContainerStatuses());
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

  static PodView withStatus(PodView pod, PodStatusView status) {
    return copy(
        pod,
        pod.generation(),
        pod.labels(),
        pod.deletionTimestamp(),
        pod.deletionGracePeriodSeconds(),
        pod.spec(),
        status);
  }

  static PodView at(PodView pod, long revision) {
    return new PodView(
        pod.ref(),
        revision,
        pod.generation(),
        pod.nodeName(),
        pod.labels(),
        pod.annotations(),
        pod.controllerKind(),
        pod.creationTimestamp(),
        pod.deletionTimestamp(),
        pod.deletionGracePeriodSeconds(),
        pod.spec(),
        pod.status());
  }

  private static PodView copy(
      PodView pod,
      long generation,
      Map<String, String> labels,
      @Nullable Instant deleted,
      @Nullable Long grace,
      PodSpecView spec,
      PodStatusView status) {
    return new PodView(
        pod.ref(),
        pod.resourceVersion(),
        generation,
        pod.nodeName(),
        labels,
        pod.annotations(),
        pod.controllerKind(),
        pod.creationTimestamp(),
        deleted,
        grace,
        spec,
        status);
  }
}
