package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.pod.TimerWheel;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.testing.Pods;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackOffTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  @Tag("C20")
  void c20RestartsAfterTenSecondsAndDoublesUpToFiveMinutes() {
    PodView pod = kubelet.create(Pods.pod());
    long[] pauses = {0, 10, 20, 40, 80, 160, 300, 300};
    for (int i = 0; i < pauses.length; i++) {
      kubelet.runtime.exit(pod.ref(), "c", 1);
      if (pauses[i] > 0) {
        long shown = Math.min(10_000, pauses[i] * 500);
        kubelet.loop.advance(Duration.ofMillis(shown - 1));
        assertThat(kubelet.state(pod, "c")).isInstanceOf(Terminated.class);
        kubelet.loop.advance(Duration.ofMillis(1 + TimerWheel.TICK));
        assertThat(kubelet.state(pod, "c")).isInstanceOf(Waiting.class);
        long rest = pauses[i] * 1000 - shown - 1 - TimerWheel.TICK;
        kubelet.loop.advance(Duration.ofMillis(rest));
        assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(i);
        assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
        kubelet.loop.advance(Duration.ofMillis(1 + TimerWheel.TICK));
      }
      assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(i + 1);
      assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    }
  }

  @Test
  @Tag("C20")
  void c20StartsOverAfterALongRun() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(11);
    kubelet.advance(601);

    kubelet.runtime.exit(pod.ref(), "c", 1);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(3);

    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(6);
    assertThat(kubelet.state(pod, "c")).isEqualTo(Kubelet.backOff("10s"));
  }

  /** A kubelet's next look at the pod comes later than the container's end. */
  @Test
  void howAContainerEndedIsSeenBeforeItWaits() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 7);
    int before = kubelet.reports.size();

    kubelet.runtime.exit(pod.ref(), "c", 8);
    kubelet.advance(11);
    assertThat(states(before))
        .containsExactly("exit 8, 1 restarts", "CrashLoopBackOff, 1 restarts", "runs, 2 restarts");
    assertThat(kubelet.eventLines())
        .filteredOn(event -> event.startsWith("Warning BackOff"))
        .hasSize(1);
  }

  private List<String> states(int from) {
    return kubelet.reports.stream()
        .skip(from)
        .map(report -> report.status().containerStatuses().get(0))
        .map(container -> state(container.state()) + ", " + container.restartCount() + " restarts")
        .toList();
  }

  private static String state(@Nullable ContainerStateView state) {
    if (state instanceof Terminated end) {
      return "exit " + end.exitCode();
    }
    return state instanceof Waiting waiting ? String.valueOf(waiting.reason()) : "runs";
  }

  @Test
  void howAContainerEndedIsSeenWhenItsPodIsDeletedInTheBackOff() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 7);
    kubelet.runtime.exit(pod.ref(), "c", 8);
    kubelet.advance(6);

    kubelet.delete(pod, 30);
    kubelet.advance(1);

    PodStatusView last = kubelet.reports.get(kubelet.reports.size() - 1).status();
    assertThat(last.phase()).isEqualTo(PodPhase.FAILED);
    assertThat(state(last.containerStatuses().get(0).state())).isEqualTo("exit 8");
  }

  @Test
  @Tag("C20")
  void c20TellsWhyItWaits() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 7);

    kubelet.runtime.exit(pod.ref(), "c", 8);
    kubelet.advance(6);
    assertThat(kubelet.lastEnd(pod, "c").exitCode()).isEqualTo(8);
    assertThat(kubelet.condition(pod, "Ready").message())
        .isEqualTo("containers with unready status: [c]");
    assertThat(kubelet.eventLines())
        .contains("Warning BackOff Back-off restarting failed container c in pod p_ns(uid-p)");
    assertThat(kubelet.container(pod, "c").containerId()).isNotNull();
  }

  @Test
  void aLowerCapIsTheFirstPauseToo() {
    Kubelet capped = new Kubelet();
    capped.times =
        new PodTimes(Duration.ofMinutes(1), Duration.ofSeconds(10), Duration.ofSeconds(2));
    PodView pod = capped.create(Pods.pod());
    capped.runtime.exit(pod.ref(), "c", 1);
    for (int i = 2; i < 5; i++) {
      capped.runtime.exit(pod.ref(), "c", 1);
      capped.loop.advance(Duration.ofMillis(2000 + TimerWheel.TICK));
      assertThat(capped.container(pod, "c").restartCount()).isEqualTo(i);
    }
  }

  /** As with the feature gate ReduceDefaultCrashLoopBackOffDecay. */
  @Test
  void aShorterFirstPauseIsDoubledUpToTheCap() {
    Kubelet quick = new Kubelet();
    quick.times = new PodTimes(Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofSeconds(4));
    PodView pod = quick.create(Pods.pod());
    quick.runtime.exit(pod.ref(), "c", 1);
    int restarts = 1;
    for (int pause : List.of(1, 2, 4, 4)) {
      quick.runtime.exit(pod.ref(), "c", 1);
      quick.loop.advance(Duration.ofMillis(pause * 1000 - TimerWheel.TICK));
      assertThat(quick.container(pod, "c").restartCount()).isEqualTo(restarts);

      quick.loop.advance(Duration.ofMillis(2 * TimerWheel.TICK));
      assertThat(quick.container(pod, "c").restartCount()).isEqualTo(++restarts);
    }
  }

  @Test
  @Tag("C21")
  void c21AnOomKillIsShownAndRestarted() {
    PodView pod = kubelet.create(Pods.pod());

    kubelet.runtime.exit(pod.ref(), "c", 137, "OOMKilled");
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "c").lastState())
        .isInstanceOfSatisfying(
            Terminated.class,
            t -> {
              assertThat(t.reason()).isEqualTo("OOMKilled");
              assertThat(t.exitCode()).isEqualTo(137);
            });
  }

  @Test
  @Tag("C22")
  void c22AFailedStartIsShownUntilOneSucceeds() {
    kubelet.runtime.fail("start c", new RuntimeException("no such file"));
    kubelet.runtime.fail(
        "start c",
        new ProviderException(
            ProviderException.Kind.TEMPORARY, "CreateContainerError", "name in use"));
    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("RunContainerError", "no such file"));
    assertThat(kubelet.eventLines()).contains("Warning Failed Error: no such file");

    kubelet.advance(16);
    assertThat(kubelet.state(pod, "c"))
        .isEqualTo(new Waiting("CreateContainerError", "name in use"));

    kubelet.advance(16);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.container(pod, "c").restartCount()).isZero();

    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void aFailedRestartDoesNotWaitForItsPauseTwice() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.runtime.fail("start c", new RuntimeException("busy"));
    kubelet.advance(11);
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("RunContainerError", "busy"));

    kubelet.advance(16);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(2);
  }

  @Test
  @Tag("C23")
  void c23AnImageThatMayNotBePulledIsRefused() {
    PodView pod = kubelet.create(Pods.pod().container("c", "img", "Never", null));
    String message = "Container image \"img\" is not present with pull policy of Never";
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ErrImageNeverPull", message));
    assertThat(kubelet.runtime.calls("pull")).isEmpty();
    assertThat(kubelet.eventLines())
        .containsExactly(
            "Warning ErrImageNeverPull " + message, "Warning Failed Error: ErrImageNeverPull");

    kubelet.runtime.images.add("img");
    kubelet.advance(16);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void aFailedPullIsAnErrorFirstAndABackOffThen() {
    for (int i = 0; i < 2; i++) {
      kubelet.runtime.fail("pull c", new RuntimeException("manifest unknown"));
    }
    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ErrImagePull", "manifest unknown"));

    kubelet.advance(6);
    assertThat(kubelet.state(pod, "c"))
        .isEqualTo(
            new Waiting(
                "ImagePullBackOff",
                "Back-off pulling image \"img\": ErrImagePull: manifest unknown"));
    assertThat(kubelet.eventLines())
        .containsExactly(
            "Normal Pulling Pulling image \"img\"",
            "Warning Failed Failed to pull image \"img\": manifest unknown",
            "Warning Failed Error: ErrImagePull",
            "Normal BackOff Back-off pulling image \"img\"",
            "Warning Failed Error: ImagePullBackOff");

    kubelet.advance(5);
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("ErrImagePull", "manifest unknown"));
    kubelet.advance(18);
    assertThat(kubelet.runtime.calls("pull")).hasSize(2);
    kubelet.advance(2);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.eventLines())
        .contains("Normal Pulled Successfully pulled image \"img\" in 0s (0s including waiting).");
  }

  @Test
  void pullPolicyAlwaysAsksNobodyWhatIsThere() {
    PodView pod = kubelet.create(Pods.pod().container("c", "img", "Always", null));
    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.runtime.calls("image")).isEmpty();
    assertThat(kubelet.runtime.calls("pull")).hasSize(2);
  }

  @Test
  void anImageThatIsThereIsNotPulled() {
    kubelet.runtime.images.add("img");

    kubelet.create(Pods.pod());
    assertThat(kubelet.runtime.calls("pull")).isEmpty();
    assertThat(kubelet.eventLines())
        .containsExactly(
            "Normal Pulled Container image \"img\" already present on machine and can be accessed"
                + " by the pod",
            "Normal Created Container created",
            "Normal Started Container started");
    assertThat(kubelet.events.get(0).fieldPath()).isEqualTo("spec.containers{c}");
    assertThat(kubelet.events.get(0).node()).isEqualTo("n");
  }

  @Test
  void anImageThatCannotBeInspectedIsTriedAgain() {
    kubelet.runtime.fail("image img", new RuntimeException("db locked"));
    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.state(pod, "c"))
        .isEqualTo(new Waiting("ImageInspectError", "Failed to inspect image \"img\": db locked"));

    kubelet.advance(16);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
  }

  @Test
  void anImpossibleImageNameIsNotPulled() {
    PodView pod = kubelet.create(Pods.pod().container("c", "Not A Name"));
    assertThat(kubelet.state(pod, "c"))
        .isEqualTo(
            new Waiting(
                "InvalidImageName",
                "Failed to apply default image tag \"Not A Name\": couldn't parse image name"
                    + " \"Not A Name\": invalid reference format: repository name"
                    + " (library/Not A Name) must be lowercase"));
    assertThat(kubelet.runtime.calls("pull")).isEmpty();
    assertThat(kubelet.runtime.calls("image")).isEmpty();
  }

  @Test
  void aRegistryThatIsAwayIsNamed() {
    kubelet.runtime.fail(
        "pull c",
        new ProviderException(
            ProviderException.Kind.TEMPORARY, "RegistryUnavailable", "connection refused"));

    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.state(pod, "c"))
        .isEqualTo(new Waiting("RegistryUnavailable", "connection refused"));
  }

  @ParameterizedTest
  @CsvSource({"sandbox p", "image img", "pull c", "start c"})
  void aPodTheRuntimeRefusesForGoodFails(String call) {
    kubelet.runtime.fail(
        call, new ProviderException(ProviderException.Kind.INVALID, "NoGpu", "no GPU here"));

    PodView pod = kubelet.create(Pods.pod());
    kubelet.advance(1000);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(pod).reason()).isEqualTo("NoGpu");
    assertThat(kubelet.status(pod).message()).isEqualTo("Pod was rejected: no GPU here");
    assertThat(kubelet.status(pod).containerStatuses()).isEmpty();
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
    assertThat(kubelet.eventLines()).contains("Warning NoGpu no GPU here");
  }

  @Test
  void aPodThatIsRefusedAfterSomethingOfItRanTellsOfItsContainers() {
    kubelet.runtime.fail(
        "start d", new ProviderException(ProviderException.Kind.INVALID, "NoGpu", "no GPU here"));

    PodView pod = kubelet.create(Pods.pod().container("c").container("d"));
    kubelet.advance(1000);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(pod).message()).isEqualTo("no GPU here");
    assertThat(kubelet.status(pod).containerStatuses())
        .extracting(ContainerStatusView::name)
        .containsExactly("c", "d");
  }

  @Test
  void aCallThatThrowsHasFailed() {
    kubelet.runtime.script(
        "start c",
        () -> {
          throw new IllegalStateException("bug");
        });

    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.state(pod, "c")).isEqualTo(new Waiting("RunContainerError", "bug"));
  }

  @Test
  void aContainersOwnPolicyCounts() {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .container("once", "img", "IfNotPresent", RestartPolicy.NEVER)
                .container("always"));

    kubelet.runtime.exit(pod.ref(), "once", 1);
    kubelet.runtime.exit(pod.ref(), "always", 0);
    assertThat(kubelet.state(pod, "once")).isInstanceOf(Terminated.class);
    assertThat(kubelet.container(pod, "always").restartCount()).isEqualTo(1);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void onFailureRestartsOnlyWhatFailed() {
    PodView pod = kubelet.create(Pods.pod().onFailure().container("a").container("b"));

    kubelet.runtime.exit(pod.ref(), "a", 0);
    kubelet.runtime.exit(pod.ref(), "b", 1);
    kubelet.runtime.exit(pod.ref(), "b", 0);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(kubelet.container(pod, "b").restartCount()).isEqualTo(1);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }
}
