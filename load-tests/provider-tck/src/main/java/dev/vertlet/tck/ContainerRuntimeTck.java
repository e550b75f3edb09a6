package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.ContainerTarget;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Checks every promise of {@link ContainerRuntime}: those about sandboxes, images and containers,
 * which it inherits, and those about nodes, restarts of the agent, content, probes, hooks and
 * streams.
 */
public abstract class ContainerRuntimeTck extends RuntimeContainersTck {
  /** Command of probes and hooks; in a container without it, they fail. */
  private static final HandlerView COMMAND = new HandlerView.Exec(List.of("true"));

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
