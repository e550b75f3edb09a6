package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static dev.vertlet.simulated.Pods.pod;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.simulated.node.ImageStore;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.RuleKey;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.AbstractListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedRuntimeTest {
  private static final Duration GRACE = ofSeconds(30);

  private final Lab lab = Lab.with();
  private final PodView plain = pod("a").view();

  @Test
  void startsAtOnceAndRunsForEverByDefault() {
    ContainerRecord started = lab.run(plain);
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
    lab.sandbox(failing);
    assertThat(lab.begin(failing, "main", 0).failed()).isTrue();
    PodView stopped = pod("b").annotate("start-delay", "5s").view();
    lab.sandbox(stopped);
    var unused = lab.begin(stopped, "main", 0);

    lab.remove(stopped);
    lab.time.advance(ofSeconds(5));

    assertThat(lab.runtime.startCount()).isZero();
  }

  @Test
  void tellsTheListenerBeforeTheStartCompletes() {
    PodView view = pod("a").annotate("start-delay", "3s").view();
    lab.sandbox(view);
    Future<Integer> heardAtCompletion = lab.begin(view, "main", 0).map(r -> lab.heard.size());

    assertThat(heardAtCompletion.isComplete()).isFalse();
    assertThat(lab.containers()).isEmpty();
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

  /** In seconds: the grace, and when the container ends, counted from the stop. */
  @ParameterizedTest
  @CsvSource({
    "'',                                       30,   0,   0, Completed",
    "stop-delay=4s,                            30,   4,   0, Completed",
    "stop-delay=never,                         30,  30, 137, Error",
    "run-for=5s exit-code=3 stop-delay=60s,    30,   5,   3, Error",
    "'',                                        0,   0, 137, Error",
    "kill-delay=2m,                             0, 120, 137, Error",
    "stop-delay=never kill-delay=2m,           30, 150, 137, Error",
  })
  void aContainerThatIsStoppedEndsByItselfOrIsKilledAfterItsGrace(
      String settings, long grace, long end, int exitCode, String reason) {
    PodView view =
        pod("a").annotate(settings.isEmpty() ? new String[0] : settings.split("[ =]")).view();
    lab.run(view);

    Future<Void> stopped = lab.stop(view, ofSeconds(grace));
    if (end > 0) {
      lab.time.advance(ofSeconds(end).minusMillis(1));
      assertThat(stopped.isComplete()).isFalse();
      lab.time.advance(ofMillis(1));
    }

    assertThat(stopped.succeeded()).isTrue();
    assertThat(lab.lastEnd().exitCode()).isEqualTo(exitCode);
    assertThat(lab.lastEnd().reason()).isEqualTo(reason);
    assertThat(lab.lastEnd().startedAt()).isEqualTo(FakeTime.START);
    assertThat(lab.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(end));
  }

  @Test
  void evenWhatCannotBeKilledGoesWithItsSandbox() {
    PodView view = pod("a").annotate("kill-delay", "never").view();
    lab.run(view);

    Future<Void> stopped = lab.stop(view, Duration.ZERO);
    assertThat(stopped.isComplete()).isFalse();
    lab.remove(view);

    assertThat(stopped.succeeded()).isTrue();
    assertThat(lab.time.pending()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"stop-delay, never, 2, 2", "kill-delay, 2m, 0, 120"})
  void aSecondStopOnlyShortensAndAllCallersHear(String key, String value, long grace, long end) {
    PodView view = pod("a").annotate("stop-delay", "never", key, value).view();
    lab.run(view);

    Future<Void> first = lab.stop(view, GRACE);
    Future<Void> longer = lab.stop(view, ofSeconds(90));
    Future<Void> shorter = lab.stop(view, ofSeconds(grace));
    lab.time.advance(ofSeconds(end));

    assertThat(List.of(first, longer, shorter)).allMatch(Future::succeeded);
    assertThat(lab.heard).hasSize(2);
    assertThat(lab.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(end));
  }

  @Test
  void stoppingWhatIsGoneSucceeds() {
    get(lab.runtime.stopContainer(plain.ref(), "simulated://none", GRACE));
    lab.remove(plain);
  }

  @Test
  void becomesReadyAfterItsDelay() {
    ContainerRecord started = lab.run(pod("a").annotate("ready-delay", "2s").view());
    assertThat(started.ready()).isFalse();

    lab.time.advance(ofSeconds(2));

    assertThat(lab.last().ready()).isTrue();
    assertThat(lab.last().running()).isTrue();
  }

  /** A pod whose container is at this attempt, after a second of each one before. */
  private PodView restartedTo(int newest) {
    PodView view = pod("a").annotate("run-for", "1s", "exit-code", "1", "cpu-usage", "100m").view();
    lab.run(view);
    for (int attempt = 1; attempt <= newest; attempt++) {
      lab.time.advance(ofSeconds(1));
      lab.start(view, "main", attempt);
    }
    return view;
  }

  private AbstractListAssert<?, ?, Integer, ?> assertAttempts() {
    return assertThat(lab.containers()).extracting(ContainerRecord::attempt);
  }

  /** Of the node so far. */
  private long cpuTime() {
    var cpu = get(lab.runtime.stats("node-1")).stats().cpu();
    return Objects.requireNonNull(Objects.requireNonNull(cpu).coreNanoSeconds());
  }

  @Test
  void whatEndedIsKeptUntilItIsRemovedOrThePodIs() {
    PodView view = restartedTo(5);
    List<ContainerRecord> all = lab.containers();
    assertThat(all).extracting(ContainerRecord::id).doesNotHaveDuplicates();
    assertAttempts().containsExactly(5, 4, 3, 2, 1, 0);

    for (int i : new int[] {5, 3, 3, 2}) {
      get(lab.runtime.removeContainer(view.ref(), all.get(i).id()));
    }

    assertAttempts().containsExactly(5, 4, 1);
    lab.remove(view);
    assertThat(lab.pods()).isEmpty();
    get(lab.runtime.removeContainer(view.ref(), all.get(1).id()));
  }

  @Test
  void whatRunsIsNotRemoved() {
    PodView view = restartedTo(1);

    Future<Void> removal = lab.runtime.removeContainer(view.ref(), lab.containers().get(0).id());

    assertThat(removal.cause()).isInstanceOf(ProviderException.class).hasMessageContaining("ended");
    assertAttempts().containsExactly(1, 0);
    assertThat(lab.containers().get(0).running()).isTrue();
  }

  @Test
  void theNewestInstanceMayBeRemovedAndTheNextOneStarts() {
    PodView view = restartedTo(1);
    lab.time.advance(ofSeconds(1));
    long before = cpuTime();

    get(lab.runtime.removeContainer(view.ref(), lab.containers().get(0).id()));

    assertAttempts().containsExactly(0);
    assertThat(cpuTime()).isEqualTo(before);
    assertThat(lab.start(view, "main", 2).running()).isTrue();
    assertAttempts().containsExactly(2, 0);
    assertThat(cpuTime()).isEqualTo(before);
  }

  @Test
  void startingTheSameAttemptAgainAnswersTheSame() {
    ContainerRecord first = lab.run(plain);

    assertThat(lab.start(plain, "main", 0)).isEqualTo(first);
    assertThat(lab.heard).hasSize(1);
  }

  @Test
  void refusesASecondInstanceBesideARunningOne() {
    lab.run(plain);

    assertThat(lab.begin(plain, "main", 1).cause()).hasMessageContaining("attempt 0 has not ended");
  }

  @Test
  void aStartErrorLeavesTheInstanceBefore() {
    ContainerRecord first = lab.run(pod("a").annotate("run-for", "1s").view());
    lab.time.advance(ofSeconds(1));
    PodView failing = pod("a").annotate("start-error", "no such file").view();

    assertThat(lab.begin(failing, "main", 1).cause())
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("no such");
    assertThat(lab.containers()).extracting(ContainerRecord::id).containsExactly(first.id());
  }

  @Test
  void removingASandboxFailsAStartUnderWayWithoutAnEvent() {
    PodView view = pod("a").annotate("start-delay", "never").view();
    lab.sandbox(view);
    Future<ContainerRecord> start = lab.begin(view, "main", 0);

    lab.remove(view);

    assertThat(start.cause()).hasMessage("container main: stopped before it started");
    assertThat(lab.heard).isEmpty();
  }

  @Test
  void removingASandboxKillsAndIsSilentAfterwards() {
    PodView view = pod("a").annotate("run-for", "5s").view();
    lab.run(view);

    lab.remove(view);
    int heard = lab.heard.size();
    lab.time.advance(ofSeconds(60));

    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
    assertThat(lab.heard).hasSize(heard);
    assertThat(lab.pods()).isEmpty();
  }

  @Test
  void releasingANodeForgetsWithoutAWord() {
    PodView view = pod("a").annotate("run-for", "5s", "stop-delay", "never").view();
    lab.run(view);
    lab.run(pod("b").on("node-2").view());
    Future<Void> stopped = lab.stop(view, GRACE);
    int heard = lab.heard.size();

    get(lab.runtime.release("node-1"));
    lab.time.advance(ofSeconds(60));

    assertThat(lab.heard).hasSize(heard);
    assertThat(stopped.failed()).isTrue();
    assertThat(lab.pods()).singleElement().matches(p -> p.node().equals("node-2"));
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
    SandboxRecord a = lab.sandbox(plain);

    assertThat(a.ips()).containsExactly("10.0.0.2");
    assertThat(lab.sandbox(plain)).isEqualTo(a);
    assertThat(lab.sandbox(pod("b").view()).ips()).containsExactly("10.0.0.3");
    assertThat(lab.sandbox(pod("c").onHostNetwork().view()).ips()).isEmpty();
  }

  @Test
  void saysWhyThereIsNoAddress() {
    for (int i = 0; i < 253; i++) {
      lab.sandbox(pod("p" + i).view());
    }

    Throwable full = lab.runtime.runSandbox(pod("q").view(), 0).cause();
    assertThat(full)
        .isInstanceOf(ProviderException.class)
        .hasMessage("node node-1: no free pod address: 253 of 253 in use in 10.0.0.0/24");
    assertThat(ProviderException.kindOf(full)).isEqualTo(ProviderException.Kind.TEMPORARY);

    lab.remove(pod("p7").view());
    assertThat(lab.sandbox(pod("q").view()).ips()).containsExactly("10.0.0.9");
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
    Lab failing = Lab.with(Lab.rule(LifeCycle.UNSET.with(RuleKey.PULL_ERROR, "manifest unknown")));

    Future<String> pull = failing.runtime.pull(plain, Pods.container("main"));

    assertThat(pull.cause()).hasMessage("manifest unknown");
    assertThat(get(failing.runtime.imageId("node-1", Pods.IMAGE))).isEmpty();
  }

  @Test
  void refusesAPodWithAWrongAnnotation() {
    Throwable refusal =
        lab.runtime.runSandbox(pod("a").annotate("run-for", "soon").view(), 0).cause();

    assertThat(ProviderException.kindOf(refusal)).isEqualTo(ProviderException.Kind.INVALID);
    assertThat(refusal)
        .hasMessageStartingWith(
            "annotation sim.vertlet.dev/run-for=\"soon\": \"soon\" is not a duration: want");
  }

  @Test
  void anUnusableRangeIsNamed() {
    FakeTime time = new FakeTime();
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            time, time, 1, node -> List.of(), node -> "10.0.0.0/33", node -> Map.of());

    assertThat(runtime.runSandbox(plain, 0).cause())
        .hasMessageStartingWith(
            "node node-1: unusable pod CIDR: prefix of \"10.0.0.0/33\" must be");
    assertThat(runtime.runSandbox(pod("b").onHostNetwork().view(), 0).succeeded()).isTrue();
  }

  @Test
  void aNewSandboxTakesThePlaceOfTheOld() {
    lab.run(plain);

    SandboxRecord next = get(lab.runtime.runSandbox(plain, 1));

    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
    assertThat(next.ips()).containsExactly("10.0.0.3");
    assertThat(lab.containers()).isEmpty();
  }

  @Test
  void startsOnlyInASandbox() {
    assertThat(lab.begin(plain, "main", 0).cause()).hasMessage("pod default/a has no sandbox");
  }

  @Test
  void stoppingTheRuntimeFailsWhatIsAwaitedAndLeavesNoTimer() {
    PodView view =
        pod("a")
            .annotate("stop-delay", "10s", "helper.start-delay", "10s", "pull-delay", "10s")
            .containers("main", "helper")
            .view();
    lab.run(view);
    Future<ContainerRecord> start = lab.begin(view, "helper", 0);
    Future<Void> stop = lab.stop(view, GRACE);
    Future<String> pull = lab.runtime.pull(view, Pods.container("main"));

    get(lab.runtime.stop());
    lab.time.advance(ofSeconds(60));

    assertThat(List.of(start, stop, pull)).allMatch(Future::failed);
    assertThat(lab.heard).hasSize(1);
    assertThat(lab.time.pending()).isZero();
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
