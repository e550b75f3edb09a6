package dev.vertlet.kubelet.podworker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.Kubelet;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.testing.Pods;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spec §9: ended containers. */
class DeadContainersTest {
  private static final int CRASHES = 5;

  private final Kubelet kubelet = new Kubelet();

  /** Instances are a name, R for running, E for ended, W for not started, and an attempt. */
  @ParameterizedTest(name = "{0}: {1} of {2}")
  @CsvSource({
    "nothing, '', ''",
    "one that runs, '', 'aR0'",
    "one that ended, '', 'aE0'",
    "a former one, '', 'aE0 aR1'",
    "one before the former, 'aE0', 'aE0 aE1 aR2'",
    "all but the newest, 'aE1 aE0', 'aR3 aE1 aE2 aE0'",
    "one that waits for its restart, 'aE0', 'aE0 aE1'",
    "one that is being made, 'aE0', 'aE0 aE1 aW2'",
    "each container has its own, 'bE4', 'aE3 aR4 bE4 bE5 cE1'",
  })
  void theNewestEndedInstanceOfEachContainerIsKept(String what, String surplus, String all) {
    assertThat(DeadContainers.surplus(records(all)).stream().map(DeadContainersTest::text).toList())
        .as(what)
        .isEqualTo(surplus.isEmpty() ? List.of() : List.of(surplus.split(" ")));
  }

  private static List<ContainerRecord> records(String all) {
    return all.isEmpty()
        ? List.of()
        : List.of(all.split(" ")).stream().map(DeadContainersTest::record).toList();
  }

  private static ContainerRecord record(String text) {
    Instant at = Instant.EPOCH;
    ContainerStateView state =
        switch (text.charAt(1)) {
          case 'R' -> new Running(at);
          case 'E' -> new Terminated(1, 0, "Error", null, at, at, text);
          default -> new Waiting("ContainerCreating", null);
        };
    int attempt = Integer.parseInt(text.substring(2));
    return new ContainerRecord(text, text.substring(0, 1), attempt, "i", "id", state, null, null);
  }

  private static String text(ContainerRecord record) {
    return record.id();
  }

  /** A pod whose container ended some times and is in its last pause now. */
  private PodView crashed(int times) {
    PodView pod = kubelet.create(Pods.pod());
    for (int i = 0; i < times; i++) {
      kubelet.runtime.exit(pod.ref(), "c", 1);
      kubelet.loop.settle();
      if (i < times - 1) {
        untilItRuns(pod);
      }
    }
    return pod;
  }

  private void untilItRuns(PodView pod) {
    for (int i = 0; i < 100 && kubelet.runtime.running(pod.ref()) == 0; i++) {
      kubelet.advance(1);
    }
    assertThat(kubelet.runtime.running(pod.ref())).isEqualTo(1);
  }

  private List<ContainerRecord> held(PodView pod) {
    return Objects.requireNonNull(kubelet.runtime.pods.get(pod.uid())).view().containers();
  }

  @Test
  @Tag("C47")
  void c47AfterManyRestartsOneEndedInstanceIsKeptAndNoneAfterThePod() {
    PodView pod = crashed(CRASHES);

    kubelet.advance(61);
    // then: it waits for its restart
    assertThat(held(pod)).extracting(ContainerRecord::attempt).containsExactly(CRASHES - 1);

    untilItRuns(pod);
    kubelet.advance(61);
    // then: the log that --previous asks for is there
    assertThat(held(pod))
        .extracting(ContainerRecord::attempt)
        .containsExactly(CRASHES - 1, CRASHES);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(CRASHES);
    assertThat(kubelet.lastEnd(pod, "c").containerId()).isEqualTo(held(pod).get(0).id());

    kubelet.delete(pod, 1);
    kubelet.advance(5);
    assertThat(kubelet.runtime.pods).isEmpty();
    assertThat(kubelet.runtime.violations).isEmpty();
  }

  @Test
  void whatCannotBeRemovedIsTriedAgainAndKeepsNoOther() {
    PodView pod = crashed(4);
    List<ContainerRecord> dead = held(pod);
    List<String> removals = dead.stream().map(one -> "rm " + one.id()).toList();
    kubelet.runtime.fail(removals.get(0), new IllegalStateException("busy"));
    kubelet.runtime.script(
        removals.get(1),
        () -> {
          throw new NoClassDefFoundError("com/example/Client");
        });
    kubelet.runtime.hang(removals.get(2));

    kubelet.advance(31);
    // then: at the first relist
    assertThat(kubelet.runtime.calls("rm")).containsExactlyElementsOf(removals.subList(0, 3));
    assertThat(held(pod)).contains(dead.get(0), dead.get(1), dead.get(2));

    kubelet.advance(61);
    assertThat(held(pod)).doesNotContain(dead.get(0), dead.get(1), dead.get(2));
  }

  @Test
  void whatWasLeftBeforeTheAgentWasRestartedGoesToo() {
    PodView pod = crashed(4);
    assertThat(held(pod)).hasSizeGreaterThan(1);

    Kubelet young = kubelet.restarted(kubelet.shown(pod));
    young.advance(61);
    assertThat(held(pod)).filteredOn(one -> !one.running()).hasSize(1);
    assertThat(young.runtime.violations).isEmpty();
  }

  @Test
  void ofAPodThatRunsQuietlyNothingIsRemoved() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 1);

    kubelet.advance(300);
    assertThat(held(pod)).extracting(ContainerRecord::attempt).containsExactly(0, 1);
    assertThat(kubelet.runtime.calls("rm")).isEmpty();
  }
}
