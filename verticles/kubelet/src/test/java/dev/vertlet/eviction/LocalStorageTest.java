package dev.vertlet.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** kubelet §10: the kubelet's localStorageEviction, with its messages. */
class LocalStorageTest {
  private static final long MI = 1 << 20;
  private static final String POD_OF_150 =
      "Pod ephemeral local storage usage exceeds the total limit of containers 150Mi. ";

  private static ContainerView container(String name, @Nullable String limit) {
    return container(name, limit, null);
  }

  private static ContainerView container(
      String name, @Nullable String limit, @Nullable RestartPolicy policy) {
    Map<String, String> limits = limit == null ? Map.of() : Map.of("ephemeral-storage", limit);
    return new ContainerView(
        name, "img", "Always", policy, null, new ResourcesView(Map.of(), limits), null);
  }

  private static PodView pod(
      Map<String, String> emptyDirs, List<ContainerView> init, ContainerView... containers) {
    Pods pod = Pods.pod().placement(Placements.anywhere().emptyDirs(emptyDirs).build());
    init.forEach(pod::init);
    List.of(containers).forEach(pod::container);
    return pod.build();
  }

  /** Of one container, in MiB: its own files, its logs, and what volumes hold. */
  private static PodUsage used(long rootFs, long logs, long volumes, Map<String, Long> emptyDirs) {
    return new PodUsage(
        List.of(new ContainerUsage("a", 0, new Disk(rootFs * MI, 0), new Disk(logs * MI, 0))),
        new Disk(volumes * MI, 0),
        1,
        emptyDirs);
  }

  static Stream<Arguments> pods() {
    ContainerView limited = container("a", "100Mi");
    ContainerView free = container("b", null);
    PodView two = pod(Map.of(), List.of(), limited, container("b", "50Mi"));
    PodView cached = pod(Map.of("cache", "1Gi"), List.of(), free);
    Map<String, Long> full = Map.of("cache", 1024 * MI);
    Map<String, Long> tooFull = Map.of("cache", 1024 * MI + 1);
    return Stream.of(
        row("nothing is limited", pod(Map.of(), List.of(), free), used(999, 0, 0, Map.of()), ""),
        row("as much as it may", two, used(60, 40, 50, Map.of()), ""),
        row(
            "a container beyond its limit",
            two,
            used(60, 41, 0, Map.of()),
            "Container a exceeded its local ephemeral storage limit \"100Mi\". "),
        row("a pod beyond the sum of them", two, used(60, 40, 51, Map.of()), POD_OF_150),
        row("the pod comes before its container", two, used(151, 0, 0, Map.of()), POD_OF_150),
        row(
            "a sidecar adds to the sum",
            pod(Map.of(), List.of(container("s", "50Mi", RestartPolicy.ALWAYS)), limited),
            used(60, 40, 51, Map.of()),
            POD_OF_150),
        row(
            "an init container with more than all that runs after it counts instead",
            pod(Map.of(), List.of(container("i", "150Mi")), limited),
            used(60, 40, 51, Map.of()),
            POD_OF_150),
        row("a volume as full as it may be", cached, used(0, 0, 1024, full), ""),
        row(
            "a volume beyond its limit",
            cached,
            used(0, 0, 1025, tooFull),
            "Usage of EmptyDir volume \"cache\" exceeds the limit \"1Gi\". "),
        row("a volume that is not measured", cached, used(0, 0, 9999, Map.of()), ""),
        row(
            "a limit of zero is none",
            pod(Map.of("cache", "0"), List.of(), free),
            used(0, 0, 1025, tooFull),
            ""));
  }

  private static Arguments row(String what, PodView pod, PodUsage used, String expected) {
    return Arguments.of(what, pod, used, expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pods")
  void whatIsTooMuch(String what, PodView pod, PodUsage used, String expected) {
    assertThat(LocalStorage.excess(pod, used).orElse("")).isEqualTo(expected);
  }
}
