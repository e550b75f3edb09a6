package dev.vertlet.kubelet.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.Pods;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * States are written as letters: R running, N running and not started, W waiting and never ran, B
 * waiting after a failure, C waiting after a success, S ended with 0, F ended with 1, ? without any
 * state, - without a status.
 */
class PodPhasesTest {
  @ParameterizedTest
  @CsvSource({
    "--, Pending, Pending, Pending",
    "R-, Pending, Pending, Pending",
    "S-, Pending, Pending, Pending",
    "RR, Running, Running, Running",
    "RS, Running, Running, Running",
    "RF, Running, Running, Running",
    "RW, Pending, Pending, Pending",
    "SS, Running, Succeeded, Succeeded",
    "SF, Running, Running, Failed",
    "FF, Running, Running, Failed",
    "BB, Running, Running, Failed",
    "R?, Pending, Pending, Pending",
  })
  @Tag("C01")
  @Tag("C02")
  @Tag("C03")
  @Tag("C04")
  @Tag("C05")
  void c01ToC05TruthTableOfTwoContainers(
      String states, String always, String onFailure, String never) {
    Pods pod = Pods.pod().container("c0").container("c1");
    assertThat(phase(pod.policy(RestartPolicy.ALWAYS), "", states).text()).isEqualTo(always);
    assertThat(phase(pod.policy(RestartPolicy.ON_FAILURE), "", states).text()).isEqualTo(onFailure);
    assertThat(phase(pod.policy(RestartPolicy.NEVER), "", states).text()).isEqualTo(never);
  }

  @ParameterizedTest
  @EnumSource(RestartPolicy.class)
  @Tag("C07")
  void c07IsPendingWhileAnInitContainerRuns(RestartPolicy policy) {
    Pods pod = Pods.pod().policy(policy).init("i0").container("c0");
    assertThat(phase(pod, "R", "W")).isEqualTo(PodPhase.PENDING);
    assertThat(phase(pod, "-", "-")).isEqualTo(PodPhase.PENDING);
    assertThat(phase(pod, "?", "W")).isEqualTo(PodPhase.PENDING);
    assertThat(phase(pod, "W", "W")).isEqualTo(PodPhase.PENDING);
  }

  @ParameterizedTest
  @CsvSource({"F, NEVER, Failed", "F, ALWAYS, Pending", "F, ON_FAILURE, Pending"})
  @Tag("C08")
  void c08FailsWhenAnInitContainerFailedForGood(String init, RestartPolicy policy, String phase) {
    Pods pod = Pods.pod().policy(policy).init("i0").container("c0");
    assertThat(phase(pod, init, "W").text()).isEqualTo(phase);
  }

  @Test
  @Tag("C08")
  void c08CountsAnInitContainerThatWaitsAfterAFailureAsFailed() {
    Pods pod = Pods.pod().init("i0").container("c0");
    assertThat(phase(pod.never(), "B", "W")).isEqualTo(PodPhase.FAILED);
    assertThat(phase(pod.policy(RestartPolicy.ALWAYS), "B", "W")).isEqualTo(PodPhase.PENDING);
  }

  @Test
  @Tag("C09")
  void c09WaitsForASidecarUntilARegularContainerHasRun() {
    Pods pod = Pods.pod().sidecar("i0").container("c0");
    assertThat(of(pod, "N", "R", false, false)).isEqualTo(PodPhase.PENDING);
    assertThat(of(pod, "N", "R", false, true)).isEqualTo(PodPhase.RUNNING);
    assertThat(of(pod, "R", "R", false, true)).isEqualTo(PodPhase.RUNNING);
    assertThat(of(pod, "W", "R", false, true)).isEqualTo(PodPhase.PENDING);
    assertThat(of(pod, "-", "R", false, true)).isEqualTo(PodPhase.PENDING);
    assertThat(of(pod, "?", "R", false, false)).isEqualTo(PodPhase.PENDING);
  }

  @Test
  @Tag("C10")
  void c10RunsAsLongAsASidecarRunsAndSucceedsAfterIt() {
    Pods pod = Pods.pod().never().sidecar("i0").container("c0");
    assertThat(of(pod, "R", "S", false, true)).isEqualTo(PodPhase.RUNNING);
    assertThat(of(pod, "F", "S", false, true)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(of(pod, "B", "S", false, true)).isEqualTo(PodPhase.SUCCEEDED);
  }

  @ParameterizedTest
  @CsvSource({"S, Succeeded", "F, Failed", "C, Failed", "W, Pending", "R, Running"})
  void c12JudgesAnEndedPodByItsExitCodesWhateverThePolicy(String state, String phase) {
    assertThat(of(Pods.pod().container("c0"), "", state, true, true).text()).isEqualTo(phase);
  }

  @Test
  void followsTheContainersOwnPolicyBeforeThePods() {
    Pods never = Pods.pod().never().container("c0", "img", "Always", RestartPolicy.ON_FAILURE);
    assertThat(phase(never, "", "F")).isEqualTo(PodPhase.RUNNING);
    assertThat(phase(never, "", "S")).isEqualTo(PodPhase.SUCCEEDED);
  }

  @Test
  void isPendingWithoutContainers() {
    Pods pod = Pods.pod().sidecar("i0").container("c0");
    PodSpecView full = pod.spec();
    PodSpecView none =
        new PodSpecView(
            0, full.restartPolicy(), 0, null, false, 0, List.of(), List.of(), List.of(), List.of());
    assertThat(PodPhases.of(none, List.of(), List.of(), false, false)).isEqualTo(PodPhase.PENDING);
  }

  private static PodPhase phase(Pods pod, String init, String regular) {
    return of(pod, init, regular, false, false);
  }

  private static PodPhase of(
      Pods pod, String init, String regular, boolean ended, boolean initialized) {
    return PodPhases.of(
        pod.spec(), statuses("i", init), statuses("c", regular), ended, initialized);
  }

  private static List<ContainerStatusView> statuses(String prefix, String states) {
    List<ContainerStatusView> statuses = new ArrayList<>();
    for (int i = 0; i < states.length(); i++) {
      char state = states.charAt(i);
      if (state != '-') {
        statuses.add(status(prefix + i, state));
      }
    }
    return statuses;
  }

  private static ContainerStatusView status(String name, char letter) {
    boolean started = letter == 'R';
    return new ContainerStatusView(
        name, "img", "", null, 0, started, started, state(letter), last(letter));
  }

  private static @Nullable ContainerStateView state(char letter) {
    switch (letter) {
      case 'R':
      case 'N':
        return new Running(null);
      case 'S':
        return end(0);
      case 'F':
        return end(1);
      case '?':
        return null;
      default:
        return new Waiting(null, null);
    }
  }

  private static @Nullable ContainerStateView last(char letter) {
    return letter == 'B' ? end(1) : letter == 'C' ? end(0) : null;
  }

  private static Terminated end(int code) {
    return new Terminated(code, 0, null, null, null, null, null);
  }
}
