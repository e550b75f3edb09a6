package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.ContainerTarget;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks every promise of {@link ContainerRuntime}. */
public abstract class ContainerRuntimeTck extends ProviderTck {
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** Command of probes and hooks; in a container without it, they fail. */
  private static final HandlerView COMMAND = new HandlerView.Exec(List.of("true"));

  /** Host name and name server of every sandbox, where the runtime asks for them. */
  private static final SandboxConfig SANDBOX =
      new SandboxConfig(
          "tck", "", "tck", List.of("192.0.2.53"), List.of(), List.of(), List.of(), List.of());

  private final Listener heard = new Listener();

  @SuppressWarnings("NullAway.Init") // set before each test
  private ContainerRuntime runtime;

  private record Heard(PodRef pod, ContainerRecord container) {}

  /** Records the runtime's reports. Thread-safe, because a runtime may report from any thread. */
  private static final class Listener implements RuntimeListener {
    private final List<Heard> changes = new CopyOnWriteArrayList<>();

    @Override
    public void containerChanged(PodRef pod, ContainerRecord container) {
      changes.add(new Heard(pod, container));
    }

    @Override
    public void sandboxLost(PodRef pod) {
      throw new AssertionError("no sandbox was lost in a test: " + pod.display());
    }

    @Nullable ContainerRecord last(PodRef pod, String id) {
      ContainerRecord last = null;
      for (Heard change : changes) {
        if (change.pod.equals(pod) && change.container.id().equals(id)) {
          last = change.container;
        }
      }
      return last;
    }
  }

  @BeforeEach
  final void startRuntime() {
    assertThat(lab().make()).as("what create makes").isInstanceOf(Backend.Containers.class);
    restart();
  }

  private void restart() {
    runtime = ((Backend.Containers) lab().make()).runtime();
    lab().call(() -> runtime.start(heard));
  }

  @AfterEach
  final void aContainerThatEndedStaysEnded() {
    lab().call(runtime::stop);
    for (int i = 0; i < heard.changes.size(); i++) {
      Heard end = heard.changes.get(i);
      if (end.container.state() instanceof Terminated) {
        assertThat(heard.changes.subList(i, heard.changes.size()))
            .filteredOn(later -> later.container.id().equals(end.container.id()))
            .allMatch(later -> later.container.state() instanceof Terminated);
      }
    }
  }

  private SandboxRecord sandbox(TckPod pod, int attempt) {
    return lab().call(() -> runSandbox(pod, attempt));
  }

  /** Creates the sandbox with what the runtime asks for, as vertlet does. */
  private Future<SandboxRecord> runSandbox(TckPod pod, int attempt) {
    if (!runtime.input().hasDefinition()) {
      return runtime.runSandbox(pod.view(), attempt);
    }
    return runtime.runSandbox(
        new SandboxStart(
            pod.view(),
            attempt,
            runtime.usesEnvironment() ? SANDBOX : null,
            pod.definition(),
            List.of(),
            directory(pod)));
  }

  private @Nullable Path directory(TckPod pod) {
    return runtime.input() == PodInput.FILES ? lab().directory(pod.ref()) : null;
  }

  /** Starts the first container with what the runtime asks for, as vertlet does. */
  private Future<ContainerRecord> startContainer(TckPod pod, int attempt, String image) {
    PodView view = pod.view();
    if (!runtime.input().hasDefinition()) {
      return runtime.startContainer(view, main(view), attempt, image);
    }
    PodDefinition definition = pod.definition();
    return runtime.startContainer(
        new ContainerStart(
            view,
            main(view),
            attempt,
            image,
            Map.of(),
            definition,
            definition.container(main(view).name()),
            List.of(),
            directory(pod)));
  }

  private static ContainerView main(PodView pod) {
    return pod.spec().containers().get(0);
  }

  private String pull(TckPod pod) {
    return lab().call(() -> pullImage(pod));
  }

  private Future<String> pullImage(TckPod pod) {
    PodView view = pod.view();
    return runtime.input().hasContent()
        ? runtime.pull(view, main(view), null)
        : runtime.pull(view, main(view));
  }

  private ContainerRecord start(TckPod pod, int attempt) {
    String image = pull(pod);
    return lab().call(() -> startContainer(pod, attempt, image));
  }

  /** Creates the sandbox and starts its first container; returns when the container runs. */
  private ContainerRecord run(TckPod pod) {
    sandbox(pod, 0);
    ContainerRecord started = start(pod, 0);
    awaitRunning(pod, started.id());
    return started;
  }

  private void awaitRunning(TckPod pod, String id) {
    lab()
        .eventually(
            () -> assertThat(container(pod, id).state()).as(id).isInstanceOf(Running.class));
  }

  private void stop(TckPod pod, String id, Duration grace) {
    lab().call(() -> runtime.stopContainer(pod.ref(), id, grace));
  }

  private Optional<RuntimePod> listed(TckPod pod) {
    List<RuntimePod> own =
        lab().call(runtime::list).stream().filter(held -> held.pod().equals(pod.ref())).toList();
    assertThat(own).as("entries of one pod").hasSizeLessThanOrEqualTo(1);
    return own.stream().findFirst();
  }

  private ContainerRecord container(TckPod pod, String id) {
    return listed(pod).stream()
        .flatMap(held -> held.containers().stream())
        .filter(record -> record.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the list has no container " + id));
  }

  private boolean hasSandbox(TckPod pod) {
    return listed(pod).map(held -> held.sandbox() != null).orElse(false);
  }

  @Test
  void theInputIsConstantAndGoesWithEnvironments() {
    assertThat(runtime.input()).isNotNull().isEqualTo(runtime.input());
    if (runtime.input().hasContent()) {
      assertThat(runtime.usesEnvironment())
          .as("usesEnvironment of a runtime with content")
          .isTrue();
    }
  }

  @Test
  void conditionsOfANodeAreToldAtOnceAndEachOnce() {
    List<NodeConditionView> conditions =
        lab().call(() -> Future.succeededFuture(runtime.conditions(Lab.NODE)));

    assertThat(conditions).extracting(NodeConditionView::type).doesNotHaveDuplicates();
    assertThat(conditions).extracting(NodeConditionView::type).doesNotContain("Ready");
  }

  @Test
  void newContentIsTakenAgainAndAgainAndOfAPodThatIsGone() {
    Assumptions.assumeTrue(runtime.input() == PodInput.VALUES, "takes no content");
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);
    List<VolumeContent> content =
        List.of(
            new VolumeContent(
                "tck", "configMap", List.of(new ContentFile("k", Buffer.buffer("v"), 0644, null))));

    lab().call(() -> runtime.contentChanged(pod.ref(), content));
    lab().call(() -> runtime.contentChanged(pod.ref(), content));

    assertThat(container(pod, started.id()).state()).isInstanceOf(Running.class);
    lab().call(() -> runtime.removeSandbox(pod.ref()));
    Future<Void> late = lab().begin(() -> runtime.contentChanged(pod.ref(), content));
    lab().call(() -> late.transform(done -> Future.succeededFuture()));
  }

  @Test
  void aNewRuntimeIsWellAndEmpty() {
    lab().call(runtime::status);
    assertThat(lab().call(runtime::list)).isEmpty();
  }

  @Test
  void aSandboxIsMadeOncePerAttempt() {
    TckPod pod = pod("a");

    SandboxRecord first = sandbox(pod, 0);
    SandboxRecord again = sandbox(pod, 0);

    assertThat(again).isEqualTo(first);
    assertThat(first.attempt()).isZero();
    assertThat(first.ips()).isNotEmpty();
    assertThat(listed(pod)).hasValueSatisfying(held -> assertThat(held.sandbox()).isEqualTo(first));
    assertThat(listed(pod).orElseThrow().node()).isEqualTo(Lab.NODE);
  }

  @Test
  void theNextAttemptIsAnotherSandbox() {
    TckPod pod = pod("a");
    SandboxRecord first = sandbox(pod, 0);
    lab().call(() -> runtime.removeSandbox(pod.ref()));

    SandboxRecord second = sandbox(pod, 1);

    assertThat(second.attempt()).isEqualTo(1);
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  @Test
  void addressesAreNotSharedByPods() {
    Assumptions.assumeTrue(ownAddresses(), "pods have the addresses of their node");
    List<TckPod> pods = IntStream.range(0, crowd()).mapToObj(i -> pod("p" + i)).toList();

    List<String> ips = pods.stream().flatMap(pod -> sandbox(pod, 0).ips().stream()).toList();

    assertThat(ips).doesNotHaveDuplicates();
  }

  @Test
  void aSandboxMayBeRemovedTwiceAndWithoutBeingThere() {
    TckPod pod = pod("a");
    lab().call(() -> runtime.removeSandbox(pod.ref()));
    sandbox(pod, 0);

    lab().call(() -> runtime.removeSandbox(pod.ref()));
    lab().call(() -> runtime.removeSandbox(pod.ref()));

    assertThat(hasSandbox(pod)).isFalse();
  }

  @Test
  void anImageIsThereOnceItWasPulled() {
    TckPod pod = pod("a");
    sandbox(pod, 0);

    String identity = pull(pod);

    assertThat(identity).isNotEmpty();
    assertThat(lab().call(() -> runtime.imageId(Lab.NODE, main(pod.view()).image())))
        .contains(identity);
  }

  @Test
  void aStartedContainerRuns() {
    TckPod pod = pod("a");

    ContainerRecord started = run(pod);

    ContainerRecord listed = container(pod, started.id());
    assertThat(started.id()).contains("://");
    assertThat(started.name()).isEqualTo("main");
    assertThat(started.attempt()).isZero();
    assertThat(listed.name()).isEqualTo("main");
    assertThat(listed.image()).isEqualTo(main(pod.view()).image());
    assertThat(listed.imageId()).isNotEmpty();
    lab()
        .eventually(
            () ->
                assertThat(heard.last(pod.ref(), started.id()))
                    .as("what the listener heard")
                    .isNotNull()
                    .matches(ContainerRecord::running));
  }

  @Test
  void aContainerIsStartedOncePerAttempt() {
    TckPod pod = pod("a");
    ContainerRecord first = run(pod);

    ContainerRecord again = start(pod, 0);

    assertThat(again.id()).isEqualTo(first.id());
    assertThat(listed(pod).orElseThrow().containers()).hasSize(1);
  }

  @Test
  void aContainerNeedsASandbox() {
    TckPod pod = pod("a");

    assertThat(lab().failure(() -> startContainer(pod, 0, "id")))
        .isNotInstanceOf(AssertionError.class);
    assertThat(hasSandbox(pod)).isFalse();
  }

  @Test
  void aStopEndsTheContainerAndTellsItBeforeItIsDone() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    stop(pod, started.id(), GRACE);

    assertThat(Objects.requireNonNull(heard.last(pod.ref(), started.id())).state())
        .as("what the listener heard before the stop was done")
        .isInstanceOfSatisfying(Terminated.class, end -> assertThat(end.finishedAt()).isNotNull());
    assertThat(container(pod, started.id()).state()).isInstanceOf(Terminated.class);
  }

  @Test
  void aStopMayBeRepeatedHurriedAndOfNothing() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    Future<Void> slow = lab().begin(() -> runtime.stopContainer(pod.ref(), started.id(), GRACE));
    stop(pod, started.id(), Duration.ofSeconds(1));
    lab().call(() -> slow);
    stop(pod, started.id(), GRACE);
    stop(pod, "tck://none", GRACE);
    stop(pod("b"), started.id(), GRACE);

    assertThat(container(pod, started.id()).state()).isInstanceOf(Terminated.class);
  }

  @Test
  void aContainerThatIsResizedRunsOn() {
    Assumptions.assumeTrue(runtime.resizesContainers(), "resizes no running containers");
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);
    PodView view = pod.view();
    Map<String, String> amounts = Map.of("cpu", "2", "memory", "1Gi");
    ContainerView bigger = main(view).withResources(new ResourcesView(amounts, amounts));

    lab().call(() -> runtime.updateResources(view, bigger, started.id()));
    lab().call(() -> runtime.updateResources(view, bigger, started.id()));

    assertThat(container(pod, started.id()).state()).isInstanceOf(Running.class);
    assertThat(lab().failure(() -> runtime.updateResources(view, bigger, "tck://none")))
        .isNotInstanceOf(AssertionError.class);
  }

  @Test
  void theNextInstanceHasAnIdOfItsOwn() {
    TckPod pod = pod("a");
    ContainerRecord first = run(pod);
    stop(pod, first.id(), GRACE);

    ContainerRecord second = start(pod, 1);

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.attempt()).isEqualTo(1);
    awaitRunning(pod, second.id());
  }

  @Test
  void whatEndedMayBeRemovedAndTheRestStays() {
    TckPod pod = pod("a");
    String oldest = run(pod).id();
    stop(pod, oldest, GRACE);
    ContainerRecord former = start(pod, 1);
    awaitRunning(pod, former.id());
    stop(pod, former.id(), GRACE);
    ContainerRecord newest = start(pod, 2);
    awaitRunning(pod, newest.id());

    remove(pod, oldest);
    remove(pod, oldest);
    remove(pod, "tck://none");
    remove(pod("b"), former.id());

    assertThat(listed(pod).orElseThrow().containers())
        .extracting(ContainerRecord::id)
        .as("what is left")
        .contains(newest.id())
        .doesNotContain(oldest);
    lab().call(() -> runtime.removeContainer(pod.ref(), newest.id()).otherwiseEmpty());
    assertThat(container(pod, newest.id()).running()).as("what runs is not removed").isTrue();
  }

  private void remove(TckPod pod, String id) {
    lab().call(() -> runtime.removeContainer(pod.ref(), id));
  }

  @Test
  void aSandboxTakesItsContainersAlong() {
    TckPod pod = pod("a");
    run(pod);

    lab().call(() -> runtime.removeSandbox(pod.ref()));

    assertThat(listed(pod).stream().flatMap(held -> held.containers().stream()))
        .noneMatch(ContainerRecord::running);
  }

  @Test
  void callsForAPodThatIsRemovedDoNoHarm() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);
    lab().call(() -> runtime.removeSandbox(pod.ref()));

    stop(pod, started.id(), GRACE);
    assertThat(lab().failure(() -> startContainer(pod, 1, "id")))
        .isNotInstanceOf(AssertionError.class);

    assertThat(hasSandbox(pod)).isFalse();
  }

  @Test
  void podsOfOneNameAreToldApartByTheirUid() {
    TckPod old = pod("a");
    TckPod young = pod("a");
    run(old);
    ContainerRecord kept = run(young);

    lab().call(() -> runtime.removeSandbox(old.ref()));

    assertThat(container(young, kept.id()).running()).isTrue();
  }

  @Test
  void aRuntimeRestoresWhatItHas() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    RuntimePod restored = lab().call(() -> runtime.restore(pod.view())).orElseThrow();

    assertThat(restored.pod()).isEqualTo(pod.ref());
    assertThat(restored.containers()).extracting(ContainerRecord::id).contains(started.id());
  }

  @Test
  void aRuntimeRestoresNothingOfAPodThatNeverRan() {
    assertThat(lab().call(() -> runtime.restore(pod("a").view()))).isEmpty();
  }

  @Test
  void aRunningPodSurvivesARestartOfTheAgent() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);
    RuntimePod before = listed(pod).orElseThrow();
    TckPod written = pod.with(status(before));
    lab().call(runtime::stop);
    restart();

    RuntimePod restored = lab().call(() -> runtime.restore(written.view())).orElseThrow();

    assertThat(restored.sandbox()).isNotNull().matches(s -> s.ips().equals(ips(before)));
    assertThat(container(written, started.id()).running()).isTrue();
    assertThat(container(written, started.id()).attempt()).isZero();
  }

  private static List<String> ips(RuntimePod pod) {
    return Objects.requireNonNull(pod.sandbox()).ips();
  }

  /** Pod status as the API server holds it while the containers run. */
  private static PodStatusView status(RuntimePod pod) {
    return new PodStatusView(
        PodPhase.RUNNING,
        null,
        null,
        "192.0.2.10",
        ips(pod),
        Instant.now(),
        null,
        List.of(),
        List.of(),
        pod.containers().stream()
            .map(
                c ->
                    new ContainerStatusView(
                        MountsView.none(c.name()),
                        c.image(),
                        c.imageId(),
                        c.id(),
                        c.attempt(),
                        true,
                        true,
                        c.state(),
                        null,
                        Map.of(),
                        null,
                        c.user()))
            .toList(),
        List.of());
  }

  @Test
  void aReleasedNodeIsForgottenAndTheOthersAreNot() {
    TckPod pod = pod("a");
    TckPod other = podOn(Lab.OTHER_NODE, "b");
    ContainerRecord started = run(pod);
    ContainerRecord kept = run(other);

    lab().call(() -> runtime.release(Lab.NODE));

    assertThat(hasSandbox(pod)).isFalse();
    assertThat(container(other, kept.id()).running()).isTrue();
    assertThat(Objects.requireNonNull(heard.last(pod.ref(), started.id())).state())
        .as("its container was not ended")
        .isInstanceOf(Running.class);
  }

  @Test
  void manyPodsRunAndEndAtOnce() {
    List<TckPod> pods = IntStream.range(0, crowd()).mapToObj(i -> pod("p" + i)).toList();

    lab().call(() -> Future.all(pods.stream().map(this::sandboxAndContainer).toList()));

    lab()
        .eventually(
            () ->
                assertThat(lab().call(runtime::list))
                    .hasSize(pods.size())
                    .allMatch(pod -> pod.containers().stream().allMatch(ContainerRecord::running)));
    lab().call(() -> Future.all(pods.stream().map(p -> runtime.removeSandbox(p.ref())).toList()));
    assertThat(lab().call(runtime::list)).noneMatch(held -> held.sandbox() != null);
  }

  private Future<ContainerRecord> sandboxAndContainer(TckPod pod) {
    return runSandbox(pod, 0)
        .compose(made -> pullImage(pod))
        .compose(image -> startContainer(pod, 0, image));
  }

  @Test
  void probesAreAnsweredAndHarmNothing() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    for (ProbeKind kind : ProbeKind.values()) {
      assertThat(outcome(probe(pod, started.id(), kind)))
          .as("probe of what runs: %s", kind)
          .isNotEqualTo("null");
      assertThat(outcome(probe(pod, "tck://none", kind)))
          .as("probe of nothing: %s", kind)
          .isNotIn("null", ProbeResult.Outcome.SUCCESS.name());
    }

    assertThat(container(pod, started.id()).running()).isTrue();
  }

  @Test
  void hooksEndAndHarmNothing() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    for (Moment moment : Moment.values()) {
      HookRequest known = hook(pod, started.id(), moment);
      HookRequest unknown = hook(pod, "tck://none", moment);
      lab().call(() -> runtime.runHook(known).otherwiseEmpty());
      assertThat(lab().failure(() -> runtime.runHook(unknown)))
          .as("hook of nothing: %s", moment)
          .isNotInstanceOf(AssertionError.class);
    }

    assertThat(container(pod, started.id()).running()).isTrue();
  }

  @Test
  void whatANodeUsesIsPossibleOrIsNotMeasured() {
    TckPod pod = pod("a");
    run(pod);

    for (String node : List.of(Lab.NODE, Lab.OTHER_NODE)) {
      NodeUsage usage = lab().call(() -> runtime.usage(node).otherwise(NodeUsage.NONE));

      assertThat(usage).as("usage of %s", node).isNotNull();
      Stream.of(
              usage.memory(),
              usage.nodeFs(),
              usage.nodeFsInodes(),
              usage.imageFs(),
              usage.imageFsInodes(),
              usage.pids())
          .filter(Objects::nonNull)
          .forEach(
              supply -> assertThat(supply.available()).as("free").isBetween(0L, supply.capacity()));
    }
  }

  private ProbeRequest probe(TckPod pod, String containerId, ProbeKind kind) {
    PodView view = pod.view();
    ProbeView probe = new ProbeView(COMMAND, 0, 1, 1, 1, 1, null);
    return new ProbeRequest(view, ip(pod), main(view), containerId, kind, probe);
  }

  private HookRequest hook(TckPod pod, String containerId, Moment moment) {
    PodView view = pod.view();
    return new HookRequest(view, ip(pod), main(view), containerId, moment, COMMAND);
  }

  private String ip(TckPod pod) {
    return ips(listed(pod).orElseThrow()).get(0);
  }

  /** Outcome of a probe. The probe may fail; it must neither throw nor hang. */
  private String outcome(ProbeRequest request) {
    return lab()
        .call(
            () ->
                runtime
                    .probe(request)
                    .map(result -> result == null ? "null" : result.outcome().name())
                    .otherwise("failed"));
  }

  @Test
  void aPodThatCanNeverRunIsInvalidEachTime() {
    TckPod bad = impossible().map(change -> change.apply(pod("a"))).orElse(null);
    Assumptions.assumeTrue(bad != null, "the runtime takes every pod");
    TckPod pod = Objects.requireNonNull(bad);

    for (int i = 0; i < 2; i++) {
      Throwable failure = lab().failure(() -> runSandbox(pod, 0));

      assertThat(ProviderException.kindOf(failure)).as("%s", failure).isEqualTo(Kind.INVALID);
    }
    assertThat(hasSandbox(pod)).isFalse();
  }

  @Test
  void itMayBeStoppedTwiceAndContainersGoOn() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    lab().call(runtime::stop);
    lab().call(runtime::stop);

    assertThat(Objects.requireNonNull(heard.last(pod.ref(), started.id())).running()).isTrue();
  }

  private StreamPromises streams(TckPod pod, ContainerRecord record) {
    return new StreamPromises(lab(), runtime.streams(), target(pod, record));
  }

  private static ContainerTarget target(TckPod pod, ContainerRecord record) {
    return new ContainerTarget(pod.ref(), Lab.NODE, record.name(), "")
        .instance(record.id(), new ContainerTarget.Facts(pod.view(), record.state()));
  }

  @Test
  void logsAreChosenTimedAndCut() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    streams(pod, container(pod, started.id())).logs();
  }

  @Test
  void aLogThatIsFollowedEndsWithItsContainer() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    streams(pod, container(pod, started.id())).logsEndWith(() -> stop(pod, started.id(), GRACE));
  }

  @Test
  void commandsAreAnsweredInFull() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    streams(pod, container(pod, started.id())).commands(copyingCommand());
  }

  @Test
  void sessionsEndWithTheirClients() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    streams(pod, container(pod, started.id())).sessions();
  }

  @Test
  void whoIsAttachedLearnsOfTheEnd() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    streams(pod, container(pod, started.id())).attachEndsWith(() -> stop(pod, started.id(), GRACE));
  }

  @Test
  void aCheckpointLeavesTheContainerRunning() {
    TckPod pod = pod("a");
    ContainerRecord started = run(pod);

    streams(pod, container(pod, started.id())).checkpoint();

    assertThat(container(pod, started.id()).state()).isInstanceOf(Running.class);
  }

  @Test
  void streamsOfWhatIsUnknownAreNotFound() {
    TckPod pod = pod("a");
    ContainerRecord started = container(pod, run(pod).id());

    streams(pod, started).unknown(target(pod("b"), started));
  }
}
