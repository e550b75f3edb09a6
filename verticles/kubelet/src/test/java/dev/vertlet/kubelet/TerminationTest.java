package dev.vertlet.kubelet;

import static dev.vertlet.testing.Care.care;
import static dev.vertlet.testing.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.testing.Care;
import dev.vertlet.testing.Pods;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TerminationTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  @Tag("C33")
  void c33ReportsRealExitCodesAndReleasesEverything() {
    PodView pod = kubelet.create(pod().container("a").container("b"));
    kubelet.runtime.termExit = 0;

    kubelet.delete(deleted(pod), 30);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(kubelet.runtime.calls).endsWith("stop a 30000", "stop b 30000", "remove p");
    assertThat(kubelet.eventLines())
        .endsWith("Normal Killing Stopping container a", "Normal Killing Stopping container b");
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(2);
    assertThat(kubelet.core.get(pod.ref()).result()).isEmpty();
  }

  private static PodView deleted(PodView pod) {
    return Pods.of(pod).deleted(Instant.EPOCH).generation(2).build();
  }

  @Test
  @Tag("C34")
  void c34AContainerThatIgnoresTermIsKilledAtTheEndOfItsGrace() {
    PodView pod = kubelet.create(pod().container("a").container("b"));
    kubelet.runtime.stubborn.add("a");

    kubelet.delete(pod, 3);
    kubelet.advance(2);
    assertThat(kubelet.report(pod).finished()).isFalse();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.state(pod, "b")).isInstanceOf(Terminated.class);

    kubelet.advance(1);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.end(pod, "a").exitCode()).isEqualTo(137);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
  }

  @Test
  @Tag("C35")
  void c35ALaterDeleteShortensTheGraceAndNeverProlongsIt() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.stubborn.add("c");
    kubelet.delete(pod, 30);

    kubelet.delete(pod, 60);
    kubelet.delete(pod, 1);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 30000", "stop c 1000");

    kubelet.advance(2);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.eventLines().stream().filter(e -> e.contains("Killing"))).hasSize(1);
  }

  @Test
  @Tag("C37")
  void c37AForcedDeletionGivesOneSecond() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.stubborn.add("c");

    kubelet.delete(pod, 0);
    kubelet.advance(1);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 1000");
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.pods).isEmpty();
  }

  @Test
  void sidecarsEndAfterTheOthersInReverseOrderWithinTheSameGrace() {
    PodView pod = kubelet.create(pod().sidecar("s1").sidecar("s2").container("c"));
    kubelet.runtime.stubborn.add("c");

    kubelet.delete(pod, 10);
    kubelet.advance(4);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 10000");
    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.runtime.calls("stop"))
        .containsExactly("stop c 10000", "stop s2 6000", "stop s1 6000");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void sidecarsEndTogetherOnceTheGraceIsOver() {
    PodView pod = kubelet.create(pod().sidecar("s1").sidecar("s2").container("c"));
    kubelet.runtime.stubborn.addAll(List.of("c", "s1", "s2"));

    kubelet.delete(pod, 5);
    kubelet.advance(7);
    assertThat(kubelet.runtime.calls("stop"))
        .containsExactly("stop c 5000", "stop s2 2000", "stop s1 2000");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  /** As the kubelet's own tests have it: hooks do not wait for a turn, ends do. */
  @Test
  void hooksOfSidecarsBeginAtOnceAndTheirEndsWaitForTheirTurn() {
    ContainerCare hooked = care().preStop(Care.COMMAND).build();
    Promise<Object> late = kubelet.runtime.hang("hook PRE_STOP s2");
    PodView pod = kubelet.create(pod().sidecar("s1", hooked).sidecar("s2", hooked).container("c"));
    kubelet.runtime.stubborn.add("c");

    kubelet.delete(pod, 10);
    assertThat(kubelet.runtime.calls("hook"))
        .containsExactly("hook PRE_STOP s2", "hook PRE_STOP s1");
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 10000");

    kubelet.advance(4);
    kubelet.runtime.exit(pod.ref(), "c", 0);
    kubelet.advance(1);
    assertThat(kubelet.runtime.calls("stop")).hasSize(1);

    late.complete(null);
    assertThat(kubelet.runtime.calls("stop"))
        .containsExactly("stop c 10000", "stop s2 5000", "stop s1 5000");
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.eventLines().stream().filter(e -> e.contains("Killing")))
        .containsExactly(
            "Normal Killing Stopping container c",
            "Normal Killing Stopping container s2",
            "Normal Killing Stopping container s1");
  }

  @Test
  void aRunningInitContainerIsStoppedToo() {
    PodView pod = kubelet.create(pod().init("i").container("c"));

    kubelet.delete(pod, 5);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop i 5000");
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
  }

  @Test
  void aPodIsDeletedWhileItPulls() {
    Promise<Object> pull = kubelet.runtime.hang("pull c");
    PodView pod = kubelet.create(pod());

    kubelet.delete(pod, 30);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.end(pod, "c").reason()).isEqualTo("ContainerStatusUnknown");

    int reports = kubelet.reports.size();
    pull.complete("id");
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.runtime.calls("start")).isEmpty();
  }

  @Test
  void aSandboxInTheMakingIsWaitedForAndRemoved() {
    Promise<Object> sandbox = kubelet.runtime.hang("sandbox p");
    PodView pod = kubelet.create(pod());
    kubelet.delete(pod, 30);
    assertThat(kubelet.runtime.calls("remove")).isEmpty();

    sandbox.complete(new SandboxRecord("sb", 0, List.of("10.1.1.1")));
    assertThat(kubelet.runtime.calls("remove")).hasSize(1);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sandbox p", "start c"})
  void whatComesAfterTheGraceIsRemovedAgain(String call) {
    Promise<Object> hung = kubelet.runtime.hang(call);
    PodView pod = kubelet.create(pod());
    kubelet.delete(pod, 5);

    kubelet.advance(6);
    assertThat(kubelet.report(pod).finished()).isTrue();

    int reports = kubelet.reports.size();
    hung.complete(
        call.startsWith("sandbox")
            ? new SandboxRecord("sb", 0, List.of())
            : new ContainerRecord(
                "fake://late", "c", 0, "img", "id", new Running(null), null, null));
    assertThat(kubelet.runtime.calls("remove")).hasSize(2);
    assertThat(kubelet.reports).hasSize(reports);
  }

  @Test
  void aHungRestoreHoldsUpADeletionOnlyForItsGrace() {
    Promise<Object> restore = kubelet.runtime.hang("restore p");
    PodView pod = pod().build();
    assertThat(kubelet.core.delete(pod, Duration.ofSeconds(2)).isComplete()).isFalse();

    kubelet.advance(3);
    assertThat(kubelet.report(pod).finished()).isTrue();

    restore.complete(Optional.of(new RuntimePod(pod.ref(), "n", null, List.of())));
    assertThat(kubelet.runtime.calls("remove")).hasSize(2);
  }

  @Test
  void aStopThatFailsIsTriedAgain() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.fail("stop c 30000", new RuntimeException("socket closed"));

    kubelet.delete(pod, 30);
    assertThat(kubelet.report(pod).finished()).isFalse();
    kubelet.advance(16);
    assertThat(kubelet.eventLines())
        .contains("Warning FailedKillPod error killing pod: socket closed");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aStopThatHangsIsAskedForAgain() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.hang("stop c 2000");

    kubelet.delete(pod, 2);
    kubelet.advance(11);
    assertThat(kubelet.report(pod).finished()).isFalse();
    kubelet.advance(2);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 2000", "stop c 1000");
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aContainerTheRuntimeDoesNotKnowCountsAsLost() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.fail(
        "stop c 30000",
        new ProviderException(ProviderException.Kind.NOT_FOUND, "NotFound", "no such container"));

    kubelet.delete(pod, 30);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.state(pod, "c"))
        .isInstanceOfSatisfying(
            Terminated.class,
            t -> {
              assertThat(t.exitCode()).isEqualTo(137);
              assertThat(t.message())
                  .isEqualTo("The container could not be located when the pod was terminated");
            });
  }

  @Test
  void aRemovalThatFailsIsTriedAgainAndOneThatHangsToo() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.fail("remove p", new RuntimeException("busy"));
    kubelet.runtime.hang("remove p");

    kubelet.delete(pod, 30);
    kubelet.advance(16);
    assertThat(kubelet.runtime.calls("remove")).hasSize(2);
    assertThat(kubelet.report(pod).finished()).isFalse();
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    kubelet.advance(31);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aSandboxLostWhileEndingIsNotMadeAgain() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.stubborn.add("c");
    kubelet.delete(pod, 30);

    kubelet.runtime.loseSandbox(pod.ref());
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
  }

  @Test
  void anUpdateThatBringsTheDeletionEndsThePod() {
    PodView pod = kubelet.create(pod());

    Kubelet.done(kubelet.core.update(deleted(pod)));
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aPodThatIsDeletedBeforeItWasSeenNeverStarts() {
    PodView pod = kubelet.create(pod().deleted(Instant.EPOCH));
    assertThat(kubelet.runtime.calls("start")).isEmpty();
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  void aDeletionOfAnUnknownPodEndsWhatTheRuntimeHas() {
    PodView pod = kubelet.create(pod());
    Kubelet restarted = kubelet.restarted();

    restarted.delete(pod, 30);
    assertThat(restarted.runtime.calls("stop")).hasSize(1);
    assertThat(restarted.report(pod).finished()).isTrue();
    assertThat(restarted.runtime.pods).isEmpty();
  }

  @Test
  @Tag("C37")
  void c37APodThatLeftTheApiServerIsKilledInSilence() {
    PodView pod = kubelet.create(pod());
    kubelet.runtime.stubborn.add("c");
    int reports = kubelet.reports.size();

    Kubelet.done(kubelet.core.kill(pod.ref()));
    kubelet.advance(2);
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 1000");
    assertThat(kubelet.runtime.pods).isEmpty();
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.core.get(pod.ref()).result()).isEmpty();

    Kubelet.done(kubelet.core.kill(pod.ref()));
    assertThat(kubelet.runtime.calls("remove")).hasSize(2);
  }

  @Test
  void aFinishedPodThatLeftTheApiServerIsForgotten() {
    PodView pod = kubelet.create(pod().never());
    kubelet.runtime.exit(pod.ref(), "c", 0);

    Kubelet.done(kubelet.core.kill(pod.ref()));
    assertThat(kubelet.core.get(pod.ref()).result()).isEmpty();
  }

  @Test
  @Tag("C44")
  void c44APodBeyondItsDeadlineFails() {
    PodView pod = kubelet.create(pod().deadline(5));
    kubelet.runtime.stubborn.add("c");
    kubelet.advance(4);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);

    kubelet.advance(2);
    assertThat(kubelet.phase(pod)).as("a container still runs").isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.condition(pod, "Ready").reason()).isEqualTo("PodFailed");

    kubelet.advance(30);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(pod).reason()).isEqualTo("DeadlineExceeded");
    assertThat(kubelet.status(pod).message())
        .isEqualTo("Pod was active on the node longer than the specified deadline");
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.eventLines())
        .contains(
            "Normal DeadlineExceeded Pod was active on the node longer than the specified"
                + " deadline");
  }

  @Test
  @Tag("C44")
  void c44CountsFromTheStartTimeTheApiServerKeeps() {
    PodView pod = kubelet.create(pod().deadline(60));
    kubelet.advance(50);
    Kubelet restarted = kubelet.restarted(kubelet.shown(pod));

    restarted.advance(12);
    assertThat(restarted.status(pod).reason()).isEqualTo("DeadlineExceeded");
  }
}
