package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static dev.vertlet.simulated.Pods.pod;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.SandboxRecord;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SimulatedRuntimeTest {
  private static final Duration GRACE = ofSeconds(30);

  private final Lab lab = Lab.with();

  @Test
  void startsAtOnceAndRunsForEverByDefault() {
    ContainerRecord started = lab.run(pod("a").view());
    lab.time.advance(Duration.ofDays(365));

    assertThat(started.state()).isEqualTo(new ContainerStateView.Running(FakeTime.START));
    assertThat(started.id()).matches("simulated://[0-9a-f]{32}");
    assertThat(lab.heard).singleElement().extracting(Lab.Heard::container).isEqualTo(started);
    assertThat(lab.time.pending()).isZero();
  }

  @Test
  void countsEachStartOnce() {
    PodView view = pod("a").annotate("run-for", "5s").view();
    lab.run(view);
    lab.start(view, "main", 0);
    assertThat(lab.runtime.startCount()).isEqualTo(1);

    lab.time.advance(ofSeconds(5));
    lab.start(view, "main", 1);

    assertThat(lab.runtime.startCount()).isEqualTo(2);
  }

  @Test
  void aStartThatFailsOrIsStoppedBeforeItIsDueDoesNotCount() {
    PodView failing = pod("a").annotate("start-error", "no such file").view();
    get(lab.runtime.runSandbox(failing, 0));
    assertThat(lab.runtime.startContainer(failing, Pods.container("main"), 0, "i").failed())
        .isTrue();
    PodView stopped = pod("b").annotate("start-delay", "5s").view();
    get(lab.runtime.runSandbox(stopped, 0));
    var unused = lab.runtime.startContainer(stopped, Pods.container("main"), 0, "i");

    get(lab.runtime.removeSandbox(stopped.ref()));
    lab.time.advance(ofSeconds(5));

    assertThat(lab.runtime.startCount()).isZero();
  }

  @Test
  void tellsTheListenerBeforeTheStartCompletes() {
    PodView view = pod("a").annotate("start-delay", "3s").view();
    get(lab.runtime.runSandbox(view, 0));
    Future<Integer> heardAtCompletion =
        lab.runtime
            .startContainer(view, Pods.container("main"), 0, "image-id")
            .map(record -> lab.heard.size());

    assertThat(heardAtCompletion.isComplete()).isFalse();
    assertThat(get(lab.runtime.list()).get(0).containers()).isEmpty();
    lab.time.advance(ofSeconds(3));

    assertThat(get(heardAtCompletion)).isEqualTo(1);
    assertThat(lab.last().state())
        .isEqualTo(new ContainerStateView.Running(FakeTime.START.plusSeconds(3)));
  }

  @Test
  void endsAJobThroughRunning() {
    ContainerRecord started = lab.run(pod("a").ownedBy("Job").view());
    assertThat(started.running()).isTrue();

    lab.time.advance(ofMillis(1));

    assertThat(lab.lastEnd().exitCode()).isZero();
    assertThat(lab.lastEnd().reason()).isEqualTo("Completed");
    assertThat(lab.lastEnd().containerId()).isEqualTo(started.id());
  }

  @Test
  void endsWithZeroAtOnceWhenAskedTo() {
    PodView view = pod("a").view();
    ContainerRecord started = lab.run(view);

    Future<Void> stopped = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);

    assertThat(stopped.succeeded()).isTrue();
    assertThat(lab.lastEnd().exitCode()).isZero();
    assertThat(lab.lastEnd().startedAt()).isEqualTo(FakeTime.START);
  }

  @Test
  void endsBeforeTheGraceIsOverWhenTheContainerDoes() {
    PodView view = pod("a").annotate("stop-delay", "4s").view();
    ContainerRecord started = lab.run(view);

    Future<Void> stopped = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);
    lab.time.advance(ofMillis(3999));
    assertThat(stopped.isComplete()).isFalse();
    lab.time.advance(ofMillis(1));

    assertThat(stopped.succeeded()).isTrue();
    assertThat(lab.lastEnd().exitCode()).isZero();
    assertThat(lab.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(4));
  }

  @Test
  void whatSurvivesItsKillHangsInItsTermination() {
    PodView view = pod("a").annotate("stop-delay", "never").annotate("kill-delay", "2m").view();
    ContainerRecord started = lab.run(view);

    Future<Void> stopped = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);
    Future<Void> again = lab.runtime.stopContainer(view.ref(), started.id(), Duration.ZERO);
    lab.time.advance(ofSeconds(119));
    assertThat(stopped.isComplete()).isFalse();
    lab.time.advance(ofSeconds(1));

    assertThat(stopped.succeeded()).isTrue();
    assertThat(again.succeeded()).isTrue();
    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
    assertThat(lab.lastEnd().reason()).isEqualTo("Error");
  }

  @Test
  void evenWhatCannotBeKilledGoesWithItsSandbox() {
    PodView view = pod("a").annotate("kill-delay", "never").view();
    ContainerRecord started = lab.run(view);

    Future<Void> stopped = lab.runtime.stopContainer(view.ref(), started.id(), Duration.ZERO);
    assertThat(stopped.isComplete()).isFalse();
    get(lab.runtime.removeSandbox(view.ref()));

    assertThat(stopped.succeeded()).isTrue();
    assertThat(lab.time.pending()).isZero();
  }

  @Test
  void killsWhatIgnoresTermOnceTheGraceIsOver() {
    PodView view = pod("a").annotate("stop-delay", "never").view();
    ContainerRecord started = lab.run(view);

    Future<Void> stopped = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);
    lab.time.advance(GRACE);

    assertThat(stopped.succeeded()).isTrue();
    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
    assertThat(lab.lastEnd().reason()).isEqualTo("Error");
    assertThat(lab.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(30));
  }

  @Test
  void aSecondStopOnlyShortensAndBothCallersHear() {
    PodView view = pod("a").annotate("stop-delay", "never").view();
    ContainerRecord started = lab.run(view);

    Future<Void> first = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);
    Future<Void> longer = lab.runtime.stopContainer(view.ref(), started.id(), ofSeconds(90));
    Future<Void> shorter = lab.runtime.stopContainer(view.ref(), started.id(), ofSeconds(2));
    lab.time.advance(ofSeconds(2));

    assertThat(List.of(first, longer, shorter)).allMatch(Future::succeeded);
    assertThat(lab.heard).hasSize(2);
    assertThat(lab.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(2));
  }

  @Test
  void aContainerThatWasAboutToEndKeepsItsOwnExitCode() {
    PodView view =
        pod("a")
            .annotate("run-for", "5s")
            .annotate("exit-code", "3")
            .annotate("stop-delay", "60s")
            .view();
    ContainerRecord started = lab.run(view);

    Future<Void> stopped = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);
    lab.time.advance(ofSeconds(5));

    assertThat(stopped.succeeded()).isTrue();
    assertThat(lab.lastEnd().exitCode()).isEqualTo(3);
  }

  @Test
  void stoppingWhatIsGoneSucceeds() {
    PodView view = pod("a").view();

    assertThat(lab.runtime.stopContainer(view.ref(), "simulated://none", GRACE).succeeded())
        .isTrue();
    assertThat(lab.runtime.removeSandbox(view.ref()).succeeded()).isTrue();
  }

  @Test
  void becomesReadyAfterItsDelay() {
    ContainerRecord started = lab.run(pod("a").annotate("ready-delay", "2s").view());
    assertThat(started.ready()).isFalse();

    lab.time.advance(ofSeconds(2));

    assertThat(lab.last().ready()).isTrue();
    assertThat(lab.last().running()).isTrue();
  }

  @Test
  void restartsAreInstancesOfTheirOwnAndTheOneBeforeIsKept() {
    PodView view = pod("a").annotate("run-for", "1s").annotate("exit-code", "1").view();
    ContainerRecord first = lab.run(view);
    lab.time.advance(ofSeconds(1));

    ContainerRecord second = lab.start(view, "main", 1);

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(get(lab.runtime.list()).get(0).containers())
        .extracting(ContainerRecord::id)
        .containsExactly(second.id(), first.id());
  }

  /** A pod whose container is at this attempt, after a second of each one before. */
  private PodView restartedTo(int newest) {
    PodView view =
        pod("a")
            .annotate("run-for", "1s")
            .annotate("exit-code", "1")
            .annotate("cpu-usage", "100m")
            .view();
    lab.run(view);
    for (int attempt = 1; attempt <= newest; attempt++) {
      lab.time.advance(ofSeconds(1));
      lab.start(view, "main", attempt);
    }
    return view;
  }

  private List<ContainerRecord> held() {
    return get(lab.runtime.list()).get(0).containers();
  }

  /** Of the node so far. */
  private long cpuTime() {
    NodeUsage usage = get(lab.runtime.stats("node-1"));
    return Objects.requireNonNull(Objects.requireNonNull(usage.stats().cpu()).coreNanoSeconds());
  }

  @Test
  void whatEndedIsKeptUntilItIsRemovedOrThePodIs() {
    PodView view = restartedTo(5);
    List<ContainerRecord> all = held();
    assertThat(all).extracting(ContainerRecord::attempt).containsExactly(5, 4, 3, 2, 1, 0);

    for (int i : new int[] {5, 3, 3, 2}) {
      get(lab.runtime.removeContainer(view.ref(), all.get(i).id()));
    }

    assertThat(held()).extracting(ContainerRecord::attempt).containsExactly(5, 4, 1);
    get(lab.runtime.removeSandbox(view.ref()));
    assertThat(get(lab.runtime.list())).isEmpty();
    get(lab.runtime.removeContainer(view.ref(), all.get(1).id()));
  }

  @Test
  void whatRunsIsNotRemoved() {
    PodView view = restartedTo(1);

    Future<Void> removal = lab.runtime.removeContainer(view.ref(), held().get(0).id());

    assertThat(removal.cause()).isInstanceOf(ProviderException.class).hasMessageContaining("ended");
    assertThat(held()).extracting(ContainerRecord::attempt).containsExactly(1, 0);
    assertThat(held().get(0).running()).isTrue();
  }

  @Test
  void theNewestInstanceMayBeRemovedAndTheNextOneStarts() {
    PodView view = restartedTo(1);
    lab.time.advance(ofSeconds(1));
    long before = cpuTime();

    get(lab.runtime.removeContainer(view.ref(), held().get(0).id()));

    assertThat(held()).extracting(ContainerRecord::attempt).containsExactly(0);
    assertThat(cpuTime()).isEqualTo(before);
    assertThat(lab.start(view, "main", 2).running()).isTrue();
    assertThat(held()).extracting(ContainerRecord::attempt).containsExactly(2, 0);
    assertThat(cpuTime()).isEqualTo(before);
  }

  @Test
  void startingTheSameAttemptAgainAnswersTheSame() {
    PodView view = pod("a").view();
    ContainerRecord first = lab.run(view);

    assertThat(lab.start(view, "main", 0)).isEqualTo(first);
    assertThat(lab.heard).hasSize(1);
  }

  @Test
  void refusesASecondInstanceBesideARunningOne() {
    PodView view = pod("a").view();
    lab.run(view);

    Future<ContainerRecord> second =
        lab.runtime.startContainer(view, Pods.container("main"), 1, "image-id");

    assertThat(second.cause()).hasMessageContaining("attempt 0 has not ended");
  }

  @Test
  void aStartErrorLeavesTheInstanceBefore() {
    PodView view = pod("a").annotate("run-for", "1s").view();
    ContainerRecord first = lab.run(view);
    lab.time.advance(ofSeconds(1));
    PodView failing = pod("a").annotate("start-error", "no such file").view();

    Future<ContainerRecord> second =
        lab.runtime.startContainer(failing, Pods.container("main"), 1, "image-id");

    assertThat(second.cause())
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("no such");
    assertThat(get(lab.runtime.list()).get(0).containers())
        .extracting(ContainerRecord::id)
        .containsExactly(first.id());
  }

  @Test
  void removingASandboxFailsAStartUnderWayWithoutAnEvent() {
    PodView view = pod("a").annotate("start-delay", "never").view();
    get(lab.runtime.runSandbox(view, 0));
    Future<ContainerRecord> start =
        lab.runtime.startContainer(view, Pods.container("main"), 0, "image-id");

    get(lab.runtime.removeSandbox(view.ref()));

    assertThat(start.cause()).hasMessage("container main: stopped before it started");
    assertThat(lab.heard).isEmpty();
  }

  @Test
  void removingASandboxKillsAndIsSilentAfterwards() {
    PodView view = pod("a").annotate("run-for", "5s").view();
    lab.run(view);

    get(lab.runtime.removeSandbox(view.ref()));
    int heard = lab.heard.size();
    lab.time.advance(ofSeconds(60));

    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
    assertThat(lab.heard).hasSize(heard);
    assertThat(get(lab.runtime.list())).isEmpty();
  }

  @Test
  void releasingANodeForgetsWithoutAWord() {
    PodView view = pod("a").annotate("run-for", "5s").annotate("stop-delay", "never").view();
    ContainerRecord started = lab.run(view);
    lab.run(pod("b").on("node-2").view());
    Future<Void> stopped = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);
    int heard = lab.heard.size();

    get(lab.runtime.release("node-1"));
    lab.time.advance(ofSeconds(60));

    assertThat(lab.heard).hasSize(heard);
    assertThat(stopped.failed()).isTrue();
    assertThat(get(lab.runtime.list())).singleElement().matches(p -> p.node().equals("node-2"));
  }

  @Test
  void aLostSandboxTakesItsContainersAlong() {
    PodView view = pod("a").annotate("run-for", "5s").view();
    lab.run(view);

    lab.runtime.loseSandbox(view.ref());
    lab.time.advance(ofSeconds(60));
    SandboxRecord next = get(lab.runtime.runSandbox(view, 1));

    assertThat(lab.lost).containsExactly(view.ref());
    assertThat(lab.heard).hasSize(1);
    assertThat(next.attempt()).isEqualTo(1);
  }

  @Test
  void givesEachPodAnAddressOfItsOwnAndNoneOnTheHostsNetwork() {
    SandboxRecord a = get(lab.runtime.runSandbox(pod("a").view(), 0));
    SandboxRecord again = get(lab.runtime.runSandbox(pod("a").view(), 0));
    SandboxRecord b = get(lab.runtime.runSandbox(pod("b").view(), 0));
    SandboxRecord host = get(lab.runtime.runSandbox(pod("c").onHostNetwork().view(), 0));

    assertThat(a.ips()).containsExactly("10.0.0.2");
    assertThat(again).isEqualTo(a);
    assertThat(b.ips()).containsExactly("10.0.0.3");
    assertThat(host.ips()).isEmpty();
  }

  @Test
  void saysWhyThereIsNoAddress() {
    for (int i = 0; i < 253; i++) {
      get(lab.runtime.runSandbox(pod("p" + i).view(), 0));
    }

    Future<SandboxRecord> full = lab.runtime.runSandbox(pod("q").view(), 0);
    assertThat(full.cause())
        .isInstanceOf(ProviderException.class)
        .hasMessage("node node-1: no free pod address: 253 of 253 in use in 10.0.0.0/24");
    assertThat(ProviderException.kindOf(full.cause())).isEqualTo(ProviderException.Kind.TEMPORARY);

    get(lab.runtime.removeSandbox(pod("p7").view().ref()));
    assertThat(get(lab.runtime.runSandbox(pod("q").view(), 0)).ips()).containsExactly("10.0.0.9");
  }

  @Test
  void pullsAnImageOncePerNode() {
    PodView view = pod("a").annotate("pull-delay", "7s").view();
    Future<String> pull = lab.runtime.pull(view, Pods.container("main"));
    assertThat(get(lab.runtime.imageId("node-1", Pods.IMAGE))).isEmpty();

    lab.time.advance(ofSeconds(7));
    Future<String> second = lab.runtime.pull(view, Pods.container("main"));

    assertThat(get(pull)).startsWith("registry.example/app@sha256:").isEqualTo(get(second));
    assertThat(get(lab.runtime.imageId("node-1", Pods.IMAGE))).contains(get(pull));
    assertThat(get(lab.runtime.imageId("node-2", Pods.IMAGE))).isEmpty();
  }

  @Test
  void aPullFailsAsTheRuleSays() {
    Lab failing = Lab.with(Lab.rule(LifeCycle.UNSET.with(Setting.PULL_ERROR, "manifest unknown")));

    Future<String> pull = failing.runtime.pull(pod("a").view(), Pods.container("main"));

    assertThat(pull.cause()).hasMessage("manifest unknown");
    assertThat(get(failing.runtime.imageId("node-1", Pods.IMAGE))).isEmpty();
  }

  @Test
  void refusesAPodWithAWrongAnnotation() {
    Future<SandboxRecord> refused =
        lab.runtime.runSandbox(pod("a").annotate("run-for", "soon").view(), 0);

    assertThat(ProviderException.kindOf(refused.cause())).isEqualTo(ProviderException.Kind.INVALID);
    assertThat(refused.cause())
        .hasMessageStartingWith(
            "annotation sim.vertlet.dev/run-for=\"soon\": \"soon\" is not a duration: want");
  }

  @Test
  void anUnusableRangeIsNamed() {
    FakeTime time = new FakeTime();
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            time, time, 1, node -> List.of(), node -> "10.0.0.0/33", node -> Map.of());

    assertThat(runtime.runSandbox(pod("a").view(), 0).cause())
        .hasMessageStartingWith(
            "node node-1: unusable pod CIDR: prefix of \"10.0.0.0/33\" must be");
    assertThat(runtime.runSandbox(pod("b").onHostNetwork().view(), 0).succeeded()).isTrue();
  }

  @Test
  void aNewSandboxTakesThePlaceOfTheOld() {
    PodView view = pod("a").view();
    lab.run(view);

    SandboxRecord next = get(lab.runtime.runSandbox(view, 1));

    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
    assertThat(next.ips()).containsExactly("10.0.0.3");
    assertThat(get(lab.runtime.list())).singleElement().matches(p -> p.containers().isEmpty());
  }

  @Test
  void startsOnlyInASandbox() {
    Future<ContainerRecord> start =
        lab.runtime.startContainer(pod("a").view(), Pods.container("main"), 0, "image-id");

    assertThat(start.cause()).hasMessage("pod default/a has no sandbox");
  }

  @Test
  void stoppingTheRuntimeFailsWhatIsAwaitedAndLeavesNoTimer() {
    PodView view =
        pod("a")
            .annotate("stop-delay", "10s")
            .annotate("helper.start-delay", "10s")
            .annotate("pull-delay", "10s")
            .containers("main", "helper")
            .view();
    ContainerRecord started = lab.run(view);
    Future<ContainerRecord> start =
        lab.runtime.startContainer(view, Pods.container("helper"), 0, "image-id");
    Future<Void> stop = lab.runtime.stopContainer(view.ref(), started.id(), GRACE);
    Future<String> pull = lab.runtime.pull(view, Pods.container("main"));

    get(lab.runtime.stop());
    lab.time.advance(ofSeconds(60));

    assertThat(List.of(start, stop, pull)).allMatch(Future::failed);
    assertThat(lab.heard).hasSize(1);
    assertThat(lab.time.pending()).isZero();
  }

  @Test
  void aZeroGraceKills() {
    PodView view = pod("a").view();
    ContainerRecord started = lab.run(view);

    get(lab.runtime.stopContainer(view.ref(), started.id(), Duration.ZERO));

    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
  }

  @Test
  void imageIdsNameTheRepository() {
    assertThat(ImageStore.idOf("nginx")).matches("nginx@sha256:[0-9a-f]{64}");
    assertThat(ImageStore.idOf("localhost:5000/a/b:v1"))
        .startsWith("localhost:5000/a/b@sha256:")
        .isNotEqualTo(ImageStore.idOf("localhost:5000/a/b:v2"));
    assertThat(ImageStore.idOf("a/b@sha256:00")).isEqualTo("a/b@sha256:00");
  }

  @Test
  void aNodeForgetsTheImageItUsedLeast() {
    ImageStore images = new ImageStore();
    for (int i = 0; i < ImageStore.MAX_IMAGES; i++) {
      images.add("image-" + i);
    }
    assertThat(images.find("image-0")).isNotNull();

    images.add("one-more");

    assertThat(images.find("image-0")).isNotNull();
    assertThat(images.find("image-1")).isNull();
  }
}
