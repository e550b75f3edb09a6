package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AdoptionTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  @Tag("C67")
  void c67GoesOnWaitingInCrashLoopBackOff() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(12);
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(11);
    PodView shown = kubelet.shown(pod);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Waiting.class);

    Kubelet restarted = kubelet.restarted(shown);
    restarted.advance(8);
    assertThat(restarted.reports).hasSize(1);
    assertThat(restarted.status(pod)).isEqualTo(shown.status());

    restarted.advance(2);
    assertThat(restarted.container(pod, "c").restartCount()).isEqualTo(3);

    restarted.runtime.exit(pod.ref(), "c", 1);
    restarted.advance(11);
    assertThat(restarted.state(pod, "c"))
        .isInstanceOfSatisfying(
            Waiting.class, w -> assertThat(w.message()).startsWith("back-off 40s restarting"));
  }

  @Test
  @Tag("C67")
  void c67KeepsForeignConditionsOutAndTheOrderOfTheServer() {
    PodView pod = kubelet.create(Pods.pod());
    PodView shown = kubelet.shown(pod);
    PodView mixed =
        Pods.of(shown).condition("example.com/gate", "True").condition("Ready", "True").build();

    Kubelet restarted = kubelet.restarted(mixed);
    assertThat(restarted.status(pod).condition("example.com/gate")).isNull();
    assertThat(restarted.status(pod).conditions())
        .extracting("type")
        .containsExactly(
            "PodReadyToStartContainers", "Initialized", "ContainersReady", "PodScheduled", "Ready");
  }

  @Test
  void aPodThatEndsBeforeTheRuntimeHasSaidWhatItHasShowsWhatTheServerShowed() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.exit(pod.ref(), "c", 1);
    PodView shown = kubelet.shown(pod);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    Kubelet restarted = kubelet.restarted();
    Promise<Object> restore = restarted.runtime.hang("restore p");

    Future<Void> adoption = restarted.core.create(shown);
    restarted.delete(Pods.of(shown).deleted(restarted.loop.instant()).build(), 5);
    restarted.advance(10);
    assertThat(adoption.isComplete()).isFalse();
    assertThat(restarted.report(pod).finished()).isTrue();
    assertThat(restarted.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(restarted.state(pod, "c")).isInstanceOf(Terminated.class);
    restore.complete(Optional.empty());
    assertThat(restarted.reports).hasSize(1);
  }

  @Test
  @Tag("C73")
  void c73AContainerThatVanishedIsRestartedByPolicy() {
    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));
    kubelet.runtime.lose(pod.ref(), "a");

    kubelet.advance(61);
    assertThat(kubelet.container(pod, "a").restartCount()).isEqualTo(1);
    assertThat(kubelet.container(pod, "a").lastState())
        .isInstanceOfSatisfying(
            Terminated.class,
            t -> {
              assertThat(t.exitCode()).isEqualTo(137);
              assertThat(t.reason()).isEqualTo("ContainerStatusUnknown");
            });
    assertThat(kubelet.container(pod, "b").restartCount()).isZero();
  }

  @Test
  @Tag("C73")
  void c73AVanishedContainerOfAPodThatNeverRestartsFailsIt() {
    PodView pod = kubelet.create(Pods.pod().never());
    kubelet.runtime.lose(pod.ref(), "c");

    kubelet.advance(61);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.report(pod).finished()).isTrue();
  }

  @Test
  @Tag("C73")
  void c73APodTheRuntimeForgotIsMadeAgain() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.silent = true;
    kubelet.runtime.loseSandbox(pod.ref());
    kubelet.runtime.silent = false;

    kubelet.advance(61);
    assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
    assertThat(kubelet.runtime.violations).isEmpty();
  }

  @Test
  @Tag("C73")
  void c73ARestartOfEverythingCountsAsVanished() {
    PodView pod = kubelet.create(Pods.pod().init("i").container("c"));
    kubelet.runtime.exit(pod.ref(), "i", 0);
    PodView shown = kubelet.shown(pod);

    Kubelet restarted = kubelet.restartedEmpty(shown);
    assertThat(restarted.runtime.calls("start")).containsExactly("start i");
    assertThat(restarted.container(pod, "i").restartCount()).isEqualTo(1);

    restarted.runtime.exit(pod.ref(), "i", 0);
    assertThat(restarted.state(pod, "c")).isInstanceOf(Running.class);
    assertThat(restarted.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  @Tag("C73")
  void c73AFailedJobIsNotRunAgainAfterARestartOfEverything() {
    PodView pod = kubelet.create(Pods.pod().never());
    PodView shown = kubelet.shown(pod);

    Kubelet restarted = kubelet.restartedEmpty(shown);
    assertThat(restarted.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(restarted.runtime.calls("start")).isEmpty();
    assertThat(restarted.report(pod).finished()).isTrue();
  }

  @Test
  void missedEventsAreFoundByTheRelist() {
    PodView pod = kubelet.create(Pods.pod().never());
    kubelet.runtime.silent = true;
    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);

    kubelet.advance(61);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
  }

  @Test
  void aHungStartIsFoundByTheRelist() {
    kubelet.runtime.hang("start c");
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.silent = true;
    kubelet.runtime.makeContainer(pod, pod.spec().containers().get(0), 0, "id");

    kubelet.advance(61);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.runtime.calls("start")).hasSize(1);
  }

  @Test
  void aHungSandboxIsFoundByTheRelist() {
    kubelet.runtime.hang("sandbox p");
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.runSandbox(pod, 0).result();

    kubelet.advance(61);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aListThatIsOlderThanAnEventIsNotBelieved() {
    PodView pod = kubelet.create(Pods.pod());
    Promise<Object> list = kubelet.runtime.hang("list");
    kubelet.advance(60);

    kubelet.runtime.exit(pod.ref(), "c", 1);
    list.complete(List.of());
    kubelet.loop.settle();
    assertThat(kubelet.runtime.calls("sandbox")).hasSize(1);
    assertThat(kubelet.container(pod, "c").restartCount()).isEqualTo(1);
  }

  @Test
  void aRelistThatFailsChangesNothing() {
    PodView pod = kubelet.create(Pods.pod());
    kubelet.runtime.fail("list", new RuntimeException("away"));
    kubelet.runtime.hang("list");
    int reports = kubelet.reports.size();

    kubelet.advance(200);
    assertThat(kubelet.runtime.calls("list")).hasSize(3);
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  @Tag("C11")
  void c11APodThatSucceededStaysSoWhateverRuns() {
    PodView pod = kubelet.create(Pods.pod().never());
    kubelet.runtime.exit(pod.ref(), "c", 0);
    PodView succeeded = kubelet.shown(pod);
    Kubelet stray = kubelet.restartedEmpty(pod);
    assertThat(stray.runtime.running(pod.ref())).isEqualTo(1);

    Kubelet restarted = stray.restarted(succeeded);
    assertThat(restarted.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(restarted.runtime.running(pod.ref())).isZero();
    assertThat(restarted.report(pod).finished()).isTrue();
  }

  @Test
  @Tag("C38")
  void c38APodDeletedWhileTheAgentWasDownIsListedAndEnds() {
    PodView pod = kubelet.create(Pods.pod());
    Kubelet restarted = kubelet.restarted();

    List<PodReport> listed = restarted.core.list().result();
    assertThat(listed).extracting(PodReport::pod).containsExactly(pod.ref());

    restarted.delete(pod, 1);
    assertThat(restarted.runtime.pods).isEmpty();
    assertThat(restarted.core.list().result()).isEmpty();
  }

  @Test
  void aRestoreThatFailsLeavesNoTrace() {
    kubelet.runtime.fail("restore p", new RuntimeException("not yet"));
    PodView pod = Pods.pod().build();

    Future<Void> created = kubelet.core.create(pod);
    assertThat(created.cause()).hasMessage("not yet");
    assertThat(kubelet.core.get(pod.ref()).result()).isEmpty();

    Kubelet.done(kubelet.core.create(pod));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aRestoreThatThrowsOrKnowsNothingIsAnAnswerToo() {
    kubelet.runtime.script(
        "restore p",
        () -> {
          throw new IllegalStateException("bug");
        });
    kubelet.runtime.fail(
        "restore p", new ProviderException(ProviderException.Kind.NOT_FOUND, "NotFound", "?"));
    PodView pod = Pods.pod().build();

    assertThat(kubelet.core.create(pod).failed()).isTrue();
    Kubelet.done(kubelet.core.create(pod));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aRepeatedCreateWaitsForTheSameRestore() {
    Promise<Object> restore = kubelet.runtime.hang("restore p");
    PodView pod = Pods.pod().build();
    Future<Void> first = kubelet.core.create(pod);

    Future<Void> second = kubelet.core.create(pod);
    restore.complete(Optional.empty());
    assertThat(first.succeeded()).isTrue();
    assertThat(second.succeeded()).isTrue();
    assertThat(kubelet.runtime.calls("restore")).hasSize(1);
    assertThat(kubelet.runtime.calls("start")).hasSize(1);
  }

  @Test
  void aRepeatedCreateOfARunningPodChangesNothing() {
    PodView pod = kubelet.create(Pods.pod());
    int reports = kubelet.reports.size();

    kubelet.create(Pods.pod());
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.runtime.calls("start")).hasSize(1);
    assertThat(kubelet.core.get(pod.ref()).result()).isPresent();
  }

  @Test
  void anUpdateOfAnUnknownPodCreatesIt() {
    PodView pod = Pods.pod().build();

    Kubelet.done(kubelet.core.update(pod));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aReleasedNodesPodsAreForgottenAndKeepRunning() {
    PodView released = kubelet.create(Pods.pod("p1").node("n1"));
    PodView kept = kubelet.create(Pods.pod("p2").node("n2"));
    int reports = kubelet.reports.size();

    Kubelet.done(kubelet.core.release("n1"));
    kubelet.runtime.exit(released.ref(), "c", 1);
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.runtime.calls("start")).hasSize(2);
    assertThat(kubelet.core.get(released.ref()).result()).isEmpty();
    assertThat(kubelet.core.get(kept.ref()).result()).isPresent();
  }

  @Test
  void anAnswerThatComesAfterTheReleaseIsDropped() {
    Promise<Object> restore = kubelet.runtime.hang("restore p1");
    PodView first = Pods.pod("p1").build();
    Future<Void> created = kubelet.core.create(first);
    Promise<Object> pull = kubelet.runtime.hang("pull c");
    kubelet.create(Pods.pod("p2"));
    Kubelet.done(kubelet.core.release("n"));
    int reports = kubelet.reports.size();

    restore.complete(Optional.empty());
    pull.complete("id");
    assertThat(created.succeeded()).isTrue();
    assertThat(kubelet.reports).hasSize(reports);
    assertThat(kubelet.runtime.calls("start")).isEmpty();
  }

  @Test
  void eventsOfUnknownPodsAreIgnored() {
    PodView pod = kubelet.create(Pods.pod());
    Kubelet restarted = kubelet.restarted();

    restarted.runtime.exit(pod.ref(), "c", 1);
    restarted.runtime.loseSandbox(new PodRef("ns", "other", "other"));
    assertThat(restarted.reports).isEmpty();
  }
}
