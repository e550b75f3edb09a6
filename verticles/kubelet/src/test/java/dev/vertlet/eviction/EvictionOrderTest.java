package dev.vertlet.eviction;

import static dev.vertlet.eviction.EvictionSignal.IMAGEFS_AVAILABLE;
import static dev.vertlet.eviction.EvictionSignal.IMAGEFS_INODES_FREE;
import static dev.vertlet.eviction.EvictionSignal.MEMORY_AVAILABLE;
import static dev.vertlet.eviction.EvictionSignal.NODEFS_AVAILABLE;
import static dev.vertlet.eviction.EvictionSignal.NODEFS_INODES_FREE;
import static dev.vertlet.eviction.EvictionSignal.PID_AVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Spec §10: which pod goes first, and what is said about it. */
class EvictionOrderTest {
  private static final long MI = 1 << 20;
  private static final Supply LITTLE = new Supply(50 * MI, 1000 * MI);

  private final Map<String, PodUsage> used = new HashMap<>();
  private final List<PodView> pods = new ArrayList<>();

  private static PodView pod(String name, int priority, PodRequests asked) {
    Map<String, String> requests =
        asked.memory() == 0 ? Map.of() : Map.of("memory", asked.memory() / MI + "Mi");
    return Pods.pod()
        .ref(new PodRef("ns", name, name))
        .priority(priority)
        .placement(Placements.asking(asked).build())
        .init("i")
        .container(
            new ContainerView(
                "c", "img", "Always", null, null, new ResourcesView(requests, Map.of()), null))
        .build();
  }

  private void pod(String name, int priority, long askedMi, PodUsage usage) {
    pods.add(0, pod(name, priority, new PodRequests(0, askedMi * MI, askedMi * MI, Map.of())));
    used.put(name, usage);
  }

  private static PodUsage memory(long mi) {
    return new PodUsage(
        List.of(new ContainerUsage("c", mi * MI, Disk.NONE, Disk.NONE)), Disk.NONE, 0);
  }

  private NodeUsage usage(boolean imageFs) {
    return new NodeUsage(null, LITTLE, LITTLE, LITTLE, imageFs ? LITTLE : null, null, LITTLE, used);
  }

  private List<String> order(EvictionSignal signal, boolean imageFs) {
    return pods.stream()
        .sorted(EvictionOrder.of(signal, usage(imageFs)))
        .map(PodView::name)
        .toList();
  }

  /** Priority, request in Mi and use in Mi of a and b: a goes first. */
  @ParameterizedTest
  @CsvSource({
    "over its request before within,      1000, 100, 101,   0, 100, 100",
    "best effort that uses anything,      1000,   0,   1,   0, 500, 499",
    "'among those over, lower priority',       5,   0,   1,   9,   0, 900",
    "'among those within, lower priority',     5, 900,   1,   9, 900, 900",
    "'same priority, more beyond request',     5, 100, 300,   5, 400, 500",
    "'same priority, nearer to its request',   5, 100,  90,   5, 400, 200"
  })
  @Tag("C43")
  void c43MemoryIsTakenFromThoseWhoTookMoreThanTheyAskedFor(
      String why, int priorityA, long askedA, long usedA, int priorityB, long askedB, long usedB) {
    pod("a", priorityA, askedA, memory(usedA));
    pod("b", priorityB, askedB, memory(usedB));

    assertThat(order(MEMORY_AVAILABLE, false)).as(why).containsExactly("a", "b");
  }

  @Test
  void aPodOfWhichNothingIsKnownGoesFirst() {
    pod("a", 0, 0, memory(900));
    pods.add(pod("unknown", 1000, new PodRequests(0, MI, 0, Map.of())));

    assertThat(order(MEMORY_AVAILABLE, false)).containsExactly("unknown", "a");
    assertThat(order(NODEFS_AVAILABLE, false)).containsExactly("unknown", "a");
    assertThat(order(PID_AVAILABLE, false)).containsExactly("a", "unknown");
  }

  static Stream<Arguments> disks() {
    return Stream.of(
        Arguments.of(NODEFS_AVAILABLE, false, List.of("all", "root", "logs", "volumes")),
        Arguments.of(NODEFS_AVAILABLE, true, List.of("all", "logs", "volumes", "root")),
        Arguments.of(IMAGEFS_AVAILABLE, false, List.of("all", "root", "logs", "volumes")),
        Arguments.of(IMAGEFS_AVAILABLE, true, List.of("root", "all", "volumes", "logs")));
  }

  /** With a file system of its own for images, logs and volumes lie on the other one. */
  @ParameterizedTest
  @MethodSource("disks")
  void aDiskIsTakenFromThoseWhoWroteToIt(
      EvictionSignal signal, boolean imageFs, List<String> expected) {
    disk("logs", 0, 50, 10);
    disk("volumes", 0, 0, 55);
    disk("root", 70, 0, 0);
    disk("all", 60, 50, 60);

    assertThat(order(signal, imageFs)).isEqualTo(expected);
  }

  private void disk(String name, long root, long logs, long volumes) {
    ContainerUsage container =
        new ContainerUsage("c", 0, new Disk(root * MI, root), new Disk(logs * MI, logs));
    pod(name, 0, 0, new PodUsage(List.of(container), new Disk(volumes * MI, volumes), 0));
  }

  @Test
  void inodesAreTakenFromThoseWhoHaveMost() {
    disk("few", 1, 1, 1);
    disk("many", 1, 1, 9);

    assertThat(order(NODEFS_INODES_FREE, false)).containsExactly("many", "few");
    disk("images", 2, 0, 0);
    assertThat(order(IMAGEFS_INODES_FREE, true)).startsWith("images");
  }

  @Test
  void processesAreTakenFromLowerPriorityThenFromThoseWhoHaveMost() {
    pod("low", 1, 0, new PodUsage(List.of(), Disk.NONE, 1));
    pod("high", 2, 0, new PodUsage(List.of(), Disk.NONE, 99));
    pod("most", 2, 0, new PodUsage(List.of(), Disk.NONE, 100));

    assertThat(order(PID_AVAILABLE, false)).containsExactly("low", "most", "high");
  }

  private static Threshold hard(EvictionSignal signal, String value) {
    return Threshold.parse(signal, value, Duration.ZERO, null).orElseThrow();
  }

  @Test
  void theMessageIsAKubelets() {
    pod("a", 0, 100, memory(200));
    pod("b", 0, 300, memory(200));
    Shortage shortage = new Shortage(hard(MEMORY_AVAILABLE, "100Mi"), LITTLE, usage(false));
    String what =
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ";

    assertThat(shortage.message(pods.get(1)))
        .isEqualTo(
            what
                + "Container c was using 200Mi, request is 100Mi, has larger consumption of memory."
                + " ");
    assertThat(shortage.message(pods.get(0))).isEqualTo(what);
    assertThat(shortage.message(pod("unknown", 0, PodRequests.NONE))).isEqualTo(what);
  }

  @Test
  void disksAndProcessesAreToldInTheirOwnUnits() {
    disk("d", 1, 2, 4);
    PodView pod = pods.get(0);
    Supply supply = new Supply(5000, 100_000);

    assertThat(new Shortage(hard(NODEFS_AVAILABLE, "10%"), LITTLE, usage(false)).message(pod))
        .isEqualTo(
            "The node was low on resource: ephemeral-storage. Threshold quantity: 104857601,"
                + " available: 50Mi. Container c was using 3Mi, request is 0, has larger"
                + " consumption of ephemeral-storage. ");
    assertThat(new Shortage(hard(NODEFS_INODES_FREE, "5%"), supply, usage(false)).message(pod))
        .isEqualTo(
            "The node was low on resource: inodes. Threshold quantity: 5000, available: 5k. ");
    assertThat(new Shortage(hard(PID_AVAILABLE, "6k"), supply, usage(false)).message(pod))
        .isEqualTo("The node was low on resource: pids. Threshold quantity: 6k, available: 5k. ");
  }

  @ParameterizedTest
  @CsvSource({"0, 600, 1", "90, 600, 30", "90, 20, 20", "90, 0, 0"})
  void aSoftThresholdLeavesThePodItsTime(int threshold, int most, int expected) {
    Threshold soft =
        Threshold.parse(MEMORY_AVAILABLE, "1Gi", Duration.ofSeconds(threshold), null).orElseThrow();
    EvictionOptions options =
        new EvictionOptions(List.of(soft), Duration.ofSeconds(most), Duration.ZERO);
    Shortage shortage = new Shortage(soft, LITTLE, usage(false));

    assertThat(shortage.grace(pod("a", 0, PodRequests.NONE), options)).hasSeconds(expected);
  }
}
