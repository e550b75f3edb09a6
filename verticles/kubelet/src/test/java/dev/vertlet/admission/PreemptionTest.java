package dev.vertlet.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.admission.Rejection.Lack;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.QosClass;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Spec §7: who makes room for a critical pod. Pods are written {@code name:class:cpu:memory}. */
class PreemptionTest {
  private static final int CRITICAL = 2_000_000_000;

  private static PodView pod(String name, int priority, QosClass qos, long cpu, long memory) {
    return pod(name, priority, qos, new PodRequests(cpu, memory, 0, Map.of("x.com/gpu", 1L)));
  }

  private static PodView pod(String name, int priority, QosClass qos, PodRequests requests) {
    return Pods.pod()
        .ref(new PodRef("ns", name, name))
        .priority(priority)
        .placement(Placements.asking(requests, qos).build())
        .build();
  }

  private static List<PodView> pods(String text) {
    List<PodView> pods = new ArrayList<>();
    for (String each : text.split(" ")) {
      String[] part = each.split(":");
      QosClass qos =
          switch (part[1]) {
            case "b" -> QosClass.BEST_EFFORT;
            case "u" -> QosClass.BURSTABLE;
            default -> QosClass.GUARANTEED;
          };
      pods.add(pod(part[0], 0, qos, Long.parseLong(part[2]), Long.parseLong(part[3])));
    }
    return pods;
  }

  private static List<Lack> lacks(long cpu, long memory) {
    return Stream.of(new Lack("cpu", cpu), new Lack("memory", memory))
        .filter(lack -> lack.amount() > 0)
        .toList();
  }

  private static List<String> victims(List<PodView> pods, List<Lack> lacks) {
    PodView critical = pod("critical", CRITICAL, QosClass.GUARANTEED, 0, 0);
    return Preemption.choose(critical, pods, lacks).victims().stream().map(PodView::name).toList();
  }

  static Stream<Arguments> choices() {
    return Stream.of(
        Arguments.of("one that is enough", "a:u:50:0 b:u:100:0", 100, 0, "b"),
        Arguments.of("the smaller of two that are enough", "a:u:300:9 b:u:200:3", 100, 0, "b"),
        Arguments.of("fewest pods, not least cpu", "a:u:60:0 b:u:50:0 c:u:90:0", 100, 0, "c b"),
        Arguments.of("burstable before guaranteed", "g:g:100:0 u:u:100:0", 100, 0, "u"),
        Arguments.of("guaranteed only for the rest", "g:g:80:0 h:g:30:0 u:u:80:0", 100, 0, "u h"),
        Arguments.of("two resources by one", "a:u:100:0 b:u:0:100 c:u:100:100", 100, 100, "c"),
        Arguments.of("two resources by two", "a:u:100:0 b:u:0:100", 100, 100, "a b"),
        Arguments.of("nothing of best effort for cpu", "b:b:0:0 u:u:100:0", 100, 0, "u"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("choices")
  void asFewAsPossibleOfThoseThatHoldLeast(
      String why, String pods, long cpu, long memory, String expected) {
    assertThat(String.join(" ", victims(pods(pods), lacks(cpu, memory)))).isEqualTo(expected);
  }

  @Test
  void aPlaceAmongThePodsIsGivenByTheLeast() {
    assertThat(victims(pods("g:g:1:1 u:u:1:1 b:b:0:0"), List.of(new Lack("pods", 1))))
        .containsExactly("b");
  }

  @Test
  void otherResourcesCountToo() {
    List<Lack> gpu = List.of(new Lack("x.com/gpu", 2));
    assertThat(victims(pods("a:u:1:1 b:u:2:2 c:u:3:3"), gpu)).containsExactlyInAnyOrder("a", "b");
    List<PodView> disks =
        List.of(pod("d", 0, QosClass.BURSTABLE, new PodRequests(0, 0, 5, Map.of())));
    assertThat(victims(disks, List.of(new Lack("ephemeral-storage", 5)))).containsExactly("d");
  }

  @Test
  void criticalPodsMakeRoomOnlyForThoseOfHigherPriority() {
    List<PodView> pods =
        List.of(
            pod("same", CRITICAL, QosClass.BURSTABLE, 100, 0),
            pod("higher", CRITICAL + 1000, QosClass.BURSTABLE, 100, 0));
    PodView highest = pod("highest", CRITICAL + 1000, QosClass.BURSTABLE, 0, 0);

    assertThat(victims(pods, lacks(100, 0))).isEmpty();
    assertThat(Preemption.choose(highest, pods, lacks(100, 0)).victims())
        .extracting(PodView::name)
        .containsExactly("same");
  }

  @Test
  void whatNobodyCanGiveIsToldInTheKubeletsWords() {
    Preemption none =
        Preemption.choose(
            pod("critical", CRITICAL, QosClass.BURSTABLE, 0, 0),
            pods("a:u:50:0 b:g:20:100"),
            lacks(100, 100));

    assertThat(none.victims()).isEmpty();
    assertThat(none.problem())
        .isEqualTo("no set of running pods found to reclaim resources: [(res: cpu, q: 30), ]");
  }
}
