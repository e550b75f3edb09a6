package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ResizePolicyView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.QosClass;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods that are given other resources while they run. */
class ResizeTest {
  private static final String MEBI_200 = "209715200";

  private Kubelet kubelet = new Kubelet();

  private void node(String cpu, String memory) {
    kubelet.core.nodes().observed(nodeOf(cpu, memory, 1).build());
  }

  @BeforeEach
  void aNodeOfFour() {
    node("4", "8Gi");
  }

  private static Nodes nodeOf(String cpu, String memory, long version) {
    return new Nodes("n").has("cpu", cpu).has("memory", memory).has("pods", "110").version(version);
  }

  private PodView run(String name, String cpu) {
    return kubelet.create(Pods.pod(name).grace(1).container("c").resources("c", cpu, "100Mi"));
  }

  private PodView resize(PodView pod, String cpu, String memory) {
    return update(Pods.of(pod).resources("c", cpu, memory), pod.generation() + 1);
  }

  private PodView update(Pods pod, long generation) {
    PodView view = pod.generation(generation).build();
    Kubelet.done(kubelet.core.update(view));
    return view;
  }

  private ContainerStatusView c(PodView pod) {
    return kubelet.container(pod, "c");
  }

  private ResourcesView has(PodView pod, String container) {
    return Objects.requireNonNull(kubelet.container(pod, container).resources());
  }

  private ConditionView pending(PodView pod) {
    return kubelet.condition(pod, "PodResizePending");
  }

  private void resized(PodView pod, String cpu) {
    assertThat(c(pod).allocatedResources()).containsEntry("cpu", cpu);
    assertThat(has(pod, "c").requests()).containsEntry("cpu", cpu);
    notResizing(pod);
  }

  private void notResizing(PodView pod) {
    assertThat(kubelet.status(pod).condition("PodResizePending")).isNull();
    assertThat(kubelet.status(pod).condition("PodResizeInProgress")).isNull();
  }

  private void inProgressWithAnError(PodView pod, String message) {
    ConditionView shown = kubelet.condition(pod, "PodResizeInProgress");
    assertThat(shown.reason()).isEqualTo("Error");
    assertThat(shown.message()).isEqualTo(message);
    assertThat(resizeEvents()).hasSize(2);
    assertThat(resizeEvents().get(1))
        .startsWith("Warning ResizeError Pod resize error: {")
        .contains(message.replace("\"", "\\\""));
  }

  private List<String> resizeEvents() {
    return kubelet.eventLines().stream().filter(line -> line.contains(" Resize")).toList();
  }

  @Test
  @Tag("B65")
  void b65ARunningPodShowsWhatItHasSoThatTheServerLetsItBeResized() {
    PodView sized = run("a", "1");
    PodView plain = kubelet.create(Pods.pod("b").container("c"));
    Map<String, String> amounts = Map.of("cpu", "1", "memory", "100Mi");
    assertThat(c(sized).allocatedResources()).isEqualTo(amounts);
    assertThat(c(sized).resources()).isEqualTo(new ResourcesView(amounts, amounts));
    assertThat(c(plain).allocatedResources()).isEmpty();
    assertThat(c(plain).resources()).isEqualTo(ResourcesView.NONE);
  }

  @Test
  @Tag("B60")
  void b60MoreCpuIsGivenWhileTheContainerRuns() {
    PodView pod = run("a", "1");
    ContainerStatusView before = c(pod);
    int reports = kubelet.reports.size();

    PodView wanted = resize(pod, "2", "100Mi");
    resized(wanted, "2");
    assertThat(c(pod).containerId()).isEqualTo(before.containerId());
    assertThat(c(pod).restartCount()).isZero();
    assertThat(kubelet.runtime.calls("resize")).containsExactly("resize c cpu 2 memory 100Mi");
    assertThat(kubelet.runtime.calls("stop")).isEmpty();
    assertThat(kubelet.status(pod).observedGeneration()).isEqualTo(2);
    String summary =
        "{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":\"2\","
            + "\"memory\":\"100Mi\"},\"requests\":{\"cpu\":\"2\",\"memory\":\"100Mi\"}}}],"
            + "\"generation\":2}";
    assertThat(resizeEvents())
        .containsExactly(
            "Normal ResizeStarted Pod resize started: " + summary,
            "Normal ResizeCompleted Pod resize completed: " + summary);
    assertThat(kubelet.reports).hasSizeGreaterThan(reports);
    assertThat(kubelet.counts.resizes)
        .containsExactly("cpu requests increase", "cpu limits increase", "done after 0");
    assertThat(kubelet.counts.resizing).containsOnly(0);
  }

  @Test
  void aResizeThatTakesItsTimeIsInProgressUntilItIsDone() {
    PodView pod = run("a", "1");
    Promise<Object> update = kubelet.runtime.hang("resize c cpu 2 memory 100Mi");

    resize(pod, "2", "100Mi");
    assertThat(kubelet.condition(pod, "PodResizeInProgress"))
        .isEqualTo(
            new ConditionView(
                "PodResizeInProgress", "True", null, null, kubelet.loop.instant(), 2L));
    assertThat(c(pod).allocatedResources()).containsEntry("cpu", "2");
    assertThat(has(pod, "c").requests()).containsEntry("cpu", "1");
    assertThat(kubelet.counts.resizing).containsExactly(0, 0, 1);

    kubelet.advance(3);
    update.complete();
    resized(pod, "2");
    assertThat(kubelet.counts.resizes).endsWith("done after 3000");
    assertThat(kubelet.counts.resizing).containsOnly(0);
  }

  @Test
  @Tag("B61")
  void b61AContainerWhosePolicySaysSoStartsAnewForMemory() {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .container("c")
                .container("other")
                .resources("c", "1", "100Mi")
                .resizePolicy("c", ResizePolicyView.MEMORY_RESTARTS));
    ContainerStatusView before = c(pod);
    ContainerStatusView other = kubelet.container(pod, "other");

    resize(pod, "1", "200Mi");
    assertThat(c(pod).restartCount()).isEqualTo(1);
    assertThat(c(pod).containerId()).isNotEqualTo(before.containerId());
    assertThat(has(pod, "c").limits()).containsEntry("memory", "200Mi");
    assertThat(c(pod).allocatedResources()).containsEntry("memory", "200Mi");
    assertThat(kubelet.container(pod, "other")).isEqualTo(other);
    assertThat(kubelet.status(pod).podIPs()).containsExactly("10.0.0.1");
    assertThat(kubelet.runtime.calls("resize")).isEmpty();
    assertThat(kubelet.runtime.calls("stop")).containsExactly("stop c 30000");
    assertThat(kubelet.eventLines()).contains("Normal Killing Container c resize requires restart");
    notResizing(pod);
  }

  @Test
  void aRestartForAResizeHappensWhateverTheRestartPolicySays() {
    PodView pod =
        kubelet.create(
            Pods.pod()
                .never()
                .container("c")
                .resources("c", "1", "100Mi")
                .resizePolicy("c", ResizePolicyView.BOTH_RESTART));
    kubelet.runtime.stubborn.add("c");

    resize(pod, "2", "100Mi");
    assertThat(kubelet.condition(pod, "PodResizeInProgress").status()).isEqualTo("True");

    kubelet.advance(31);
    assertThat(c(pod).restartCount()).isEqualTo(1);
    resized(pod, "2");
    assertThat(kubelet.reports).noneMatch(r -> r.status().phase().terminal());
  }

  @Test
  @Tag("B62")
  void b62WhatDoesNotFitNowIsGrantedAsSoonAsAnotherPodHasGone() {
    PodView other = run("other", "2");
    PodView pod = run("a", "1");

    PodView wanted = resize(pod, "3", "100Mi");
    String message =
        "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000";
    assertThat(pending(pod))
        .isEqualTo(
            new ConditionView(
                "PodResizePending", "True", "Deferred", message, kubelet.loop.instant(), 2L));
    assertThat(c(pod).allocatedResources()).containsEntry("cpu", "1");
    assertThat(has(pod, "c").requests()).containsEntry("cpu", "1");
    assertThat(kubelet.runtime.calls("resize")).isEmpty();
    assertThat(resizeEvents()).hasSize(1);
    assertThat(resizeEvents().get(0))
        .startsWith("Warning ResizeDeferred Pod resize Deferred: {\"containers\":")
        .endsWith("\"generation\":2,\"error\":\"" + message + "\"}");
    assertThat(kubelet.counts.resizing).containsExactly(1, 0, 0);

    goes(other);
    resized(wanted, "3");
    assertThat(kubelet.counts.resizes).contains("accepted pods_removed");
    assertThat(kubelet.counts.resizing).containsOnly(0);
  }

  @Test
  @Tag("B63")
  void b63MoreThanTheNodeHasIsInfeasibleUntilItIsTakenBack() {
    PodView pod = run("a", "1");

    PodView wanted = resize(pod, "5", "100Mi");
    assertThat(pending(pod).reason()).isEqualTo("Infeasible");
    assertThat(pending(pod).message())
        .isEqualTo("Node didn't have enough capacity: cpu, requested: 5000, capacity: 4000");
    assertThat(has(pod, "c").requests()).containsEntry("cpu", "1");
    assertThat(resizeEvents()).hasSize(1);
    assertThat(resizeEvents().get(0))
        .startsWith("Warning ResizeInfeasible Pod resize Infeasible: {");
    assertThat(kubelet.counts.resizes).contains("infeasible node_capacity");

    update(Pods.of(wanted).resources("c", "1", "100Mi"), 3);
    notResizing(pod);
    assertThat(kubelet.runtime.calls("resize")).isEmpty();
    assertThat(kubelet.counts.resizing).containsOnly(0);
    assertThat(kubelet.loop.timers()).isLessThanOrEqualTo(4);
  }

  @Test
  void aNodeThatGrowsGrantsWhatItCouldNot() {
    PodView pod = run("a", "1");
    resize(pod, "5", "100Mi");

    kubelet.core.nodes().observed(nodeOf("8", "8Gi", 2).build());
    kubelet.advance(1);
    resized(pod, "5");
  }

  @Test
  @Tag("B64")
  void b64OfTwoThatWaitTheOneOfHigherPriorityIsServed() {
    PodView other = run("other", "2");
    PodView low = run("low", "1");
    PodView high =
        kubelet.create(Pods.pod("high").priority(10).container("c").resources("c", "1", "100Mi"));
    resize(low, "3", "100Mi");
    kubelet.advance(1);
    resize(high, "3", "100Mi");

    goes(other);
    resized(high, "3");
    assertThat(pending(low).reason()).isEqualTo("Deferred");
  }

  @Test
  @Tag("B64")
  void b64ThenTheFirmerClassAndThenTheOneThatHasWaitedLonger() {
    node("8", "8Gi");
    PodView other = run("other", "5");
    PodView early = run("early", "1");
    PodView late = run("late", "1");
    PodView firm =
        kubelet.create(
            Pods.pod("firm")
                .placement(Placements.asking(PodRequests.NONE, QosClass.GUARANTEED).build())
                .container("c")
                .resources("c", "1", "100Mi"));
    for (PodView pod : List.of(early, late, firm)) {
      resize(pod, "3", "100Mi");
      kubelet.advance(1);
    }
    List<String> granted = new ArrayList<>();

    goes(other);
    for (PodView pod : List.of(early, late, firm)) {
      if (kubelet.status(pod).condition("PodResizePending") == null) {
        granted.add(pod.name());
      }
    }
    assertThat(granted).containsExactly("early", "firm");
  }

  @Test
  void whoWantsLessIsServedWhoeverWaits() {
    PodView big = run("big", "3");
    PodView waits = run("waits", "1");
    resize(waits, "2", "100Mi");
    assertThat(pending(waits).reason()).isEqualTo("Deferred");

    resize(big, "1", "100Mi");
    kubelet.advance(1);
    resized(big, "1");
    resized(waits, "2");
    assertThat(kubelet.counts.resizes).contains("accepted pod_updated");
  }

  @Test
  void newPodsFindWhatWasGrantedAndNotWhatIsAskedFor() {
    PodView pod = run("a", "1");
    resize(pod, "5", "100Mi");

    PodView second = run("b", "3");
    assertThat(kubelet.status(second).phase()).hasToString("RUNNING");
  }

  @Test
  void whatWaitsIsLookedAtEveryThreeMinutes() {
    PodView other = run("other", "3");
    PodView pod = run("a", "1");
    resize(pod, "2", "100Mi");
    kubelet.advance(31);
    ConditionView before = pending(pod);

    kubelet.advance(200);
    assertThat(pending(pod)).isEqualTo(before);
    assertThat(resizeEvents()).hasSize(1);
    assertThat(kubelet.report(other).finished()).isFalse();
  }

  @Test
  void memoryComesBeforeCpuAndLessBeforeMore() {
    node("8", "8Gi");
    PodView pod =
        kubelet.create(
            Pods.pod()
                .container("a")
                .container("b")
                .resources("a", "1", "100Mi")
                .resources("b", "2", "200Mi"));

    update(Pods.of(pod).resources("a", "2", "200Mi").resources("b", "1", "100Mi"), 2);
    assertThat(kubelet.runtime.calls("resize"))
        .containsExactly(
            "resize b cpu 2 memory 100Mi",
            "resize a cpu 1 memory 200Mi",
            "resize b cpu 1 memory 100Mi",
            "resize a cpu 2 memory 200Mi");
    notResizing(pod);
  }

  @Test
  void whatTheRuntimeRefusesIsAnErrorAndTriedAgain() {
    PodView pod = run("a", "1");
    String message =
        "cannot decrease memory limits: attempting to set container \"c\" memory limit ("
            + MEBI_200
            + ") below current usage (300)";
    kubelet.runtime.fail("resize c cpu 1 memory 50Mi", new IllegalStateException(message));

    resize(pod, "1", "50Mi");
    inProgressWithAnError(pod, message);
    assertThat(c(pod).allocatedResources()).containsEntry("memory", "50Mi");
    assertThat(has(pod, "c").limits()).containsEntry("memory", "100Mi");
    assertThat(kubelet.counts.resizes).contains("failed after 0");

    kubelet.advance(16);
    notResizing(pod);
    assertThat(has(pod, "c").limits()).containsEntry("memory", "50Mi");
  }

  @Test
  void aRuntimeThatNeverAnswersIsAnErrorAndAskedAgain() {
    PodView pod = run("a", "1");
    kubelet.runtime.hang("resize c cpu 2 memory 100Mi");

    resize(pod, "2", "100Mi");
    kubelet.advance(119);
    assertThat(kubelet.condition(pod, "PodResizeInProgress").reason()).isNull();

    kubelet.advance(2);
    inProgressWithAnError(
        pod, "the container runtime did not answer within 2m0s: context deadline exceeded");
    assertThat(has(pod, "c").requests()).containsEntry("cpu", "1");
    assertThat(kubelet.counts.resizes).contains("failed after 120000");

    kubelet.advance(16);
    resized(pod, "2");
    assertThat(kubelet.runtime.calls("resize")).hasSize(2);
  }

  @Test
  void anAnswerThatComesLateIsWhatTheContainerHas() {
    PodView pod = run("a", "1");
    Promise<Object> late = kubelet.runtime.hang("resize c cpu 2 memory 100Mi");
    PodView two = resize(pod, "2", "100Mi");
    kubelet.advance(121);
    Promise<Object> next = kubelet.runtime.hang("resize c cpu 3 memory 100Mi");
    resize(two, "3", "100Mi");
    assertThat(kubelet.runtime.calls("resize")).hasSize(2);

    late.complete();
    assertThat(has(pod, "c").requests()).containsEntry("cpu", "2");
    assertThat(kubelet.runtime.calls("resize")).as("one at a time").hasSize(2);

    next.complete();
    resized(pod, "3");
  }

  @Test
  void anErrorThatComesLateIsNoNews() {
    PodView pod = run("a", "1");
    Promise<Object> late = kubelet.runtime.hang("resize c cpu 2 memory 100Mi");
    resize(pod, "2", "100Mi");
    kubelet.advance(121);
    List<String> events = resizeEvents();

    late.fail("too late");
    assertThat(resizeEvents()).isEqualTo(events);
    assertThat(kubelet.condition(pod, "PodResizeInProgress").message()).contains("2m0s");
  }

  @Test
  void aContainerThatEndsMeanwhileIsNotWaitedFor() {
    PodView pod = run("a", "1");
    kubelet.runtime.hang("resize c cpu 2 memory 100Mi");
    resize(pod, "2", "100Mi");

    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(1);
    assertThat(c(pod).restartCount()).isEqualTo(1);
    resized(pod, "2");
    assertThat(kubelet.runtime.calls("resize")).hasSize(1);
  }

  @Test
  void aRuntimeThatCannotResizeDoesSoByRestartsAlone() {
    kubelet.runtime.resizes = false;
    PodView pod = run("a", "1");
    PodView restarts =
        kubelet.create(
            Pods.pod("b")
                .container("c")
                .resources("c", "1", "100Mi")
                .resizePolicy("c", ResizePolicyView.CPU_RESTARTS));

    resize(pod, "2", "100Mi");
    resize(restarts, "2", "100Mi");
    assertThat(pending(pod).reason()).isEqualTo("Infeasible");
    assertThat(pending(pod).message())
        .isEqualTo("The container runtime does not resize running containers");
    resized(restarts, "2");
    assertThat(kubelet.counts.resizes).contains("infeasible runtime_unsupported");
  }

  @Test
  void whatDoesNotRunStartsWithWhatItWasGranted() {
    PodView pod = run("a", "1");
    kubelet.runtime.exit(pod.ref(), "c", 1);
    kubelet.advance(1);
    kubelet.runtime.exit(pod.ref(), "c", 1);
    assertThat(c(pod).restartCount()).isEqualTo(1);

    resize(pod, "2", "100Mi");
    assertThat(kubelet.runtime.calls("resize")).isEmpty();
    assertThat(c(pod).restartCount()).as("another definition has no pause").isEqualTo(2);
    resized(pod, "2");
  }

  @Test
  void aPodThatEndsIsResizedNoMore() {
    PodView pod = run("a", "1");
    resize(pod, "5", "100Mi");

    goes(pod);
    assertThat(kubelet.report(pod).finished()).isTrue();
    notResizing(pod);
    assertThat(kubelet.counts.resizing).containsOnly(0);
  }

  @Test
  void aSidecarIsResizedToo() {
    PodView pod =
        kubelet.create(Pods.pod().sidecar("s").container("c").resources("s", "1", "100Mi"));

    update(Pods.of(pod).resources("s", "2", "100Mi"), 2);
    assertThat(kubelet.runtime.calls("resize")).containsExactly("resize s cpu 2 memory 100Mi");
    assertThat(has(pod, "s").requests()).containsEntry("cpu", "2");
  }

  @Test
  void aRestartOfTheAgentKeepsWhatWasGrantedAndWhoWaits() {
    PodView pod = run("a", "1");
    PodView other = run("other", "2");
    PodView wanted = resize(pod, "3", "100Mi");
    PodView shown = kubelet.shown(wanted);
    PodView shownOther = kubelet.shown(other);
    ConditionView before = pending(pod);

    startAnew(shown, shownOther);
    assertThat(pending(pod)).isEqualTo(before);
    assertThat(c(pod).allocatedResources()).containsEntry("cpu", "1");
    assertThat(kubelet.runtime.calls("resize")).isEmpty();
    assertThat(kubelet.runtime.calls("stop")).isEmpty();

    kubelet.delete(other, 1);
    kubelet.advance(31);
    resized(pod, "3");
  }

  @Test
  void aRestartOfTheAgentGoesOnWithWhatIsInProgress() {
    PodView pod = run("a", "1");
    kubelet.runtime.hang("resize c cpu 2 memory 100Mi");
    PodView wanted = resize(pod, "2", "100Mi");
    PodView shown = kubelet.shown(wanted);

    startAnew(shown);
    resized(pod, "2");
    assertThat(kubelet.runtime.calls("resize")).hasSize(2);
  }

  private static ResourcesView limits(String cpu) {
    return new ResourcesView(Map.of("cpu", "1"), Map.of("cpu", cpu));
  }

  private PodView limited() {
    return kubelet.create(Pods.pod("a").grace(1).container("c").resources("c", limits("2")));
  }

  private void startAnew(PodView... pods) {
    kubelet = kubelet.restarted();
    aNodeOfFour();
    for (PodView pod : pods) {
      Kubelet.done(kubelet.core.create(pod));
    }
    kubelet.advance(1);
  }

  private void goes(PodView pod) {
    kubelet.delete(pod, 1);
    kubelet.advance(1);
  }

  @Test
  void aRestartOfTheAgentGoesOnWithLimitsThatAreInProgress() {
    PodView pod = limited();
    kubelet.runtime.hang("resize c cpu 3 memory -");
    PodView wanted = update(Pods.of(pod).resources("c", limits("3")), 2);
    PodView shown = kubelet.shown(wanted);

    startAnew(shown);
    assertThat(has(pod, "c").limits()).containsEntry("cpu", "3");
    assertThat(kubelet.runtime.calls("resize")).hasSize(2);
    assertThat(resizeEvents()).as("granted before").hasSize(1);
    assertThat(resizeEvents().get(0)).startsWith("Normal ResizeCompleted");
    notResizing(pod);
  }

  @Test
  void limitsThatChangedWhileNoAgentRanAreGrantedAndDone() {
    PodView pod = limited();
    PodView shown = kubelet.shown(pod);

    startAnew(Pods.of(shown).resources("c", limits("3")).generation(2).build());
    assertThat(has(pod, "c").limits()).containsEntry("cpu", "3");
    assertThat(kubelet.runtime.calls("resize")).containsExactly("resize c cpu 3 memory -");
    assertThat(resizeEvents()).hasSize(2);
    assertThat(resizeEvents().get(0)).startsWith("Normal ResizeStarted");
    notResizing(pod);
  }

  @Test
  void limitsThatNobodyCanGiveAreInfeasibleForTheNextAgentToo() {
    PodView pod = limited();
    PodView shown = kubelet.shown(pod);
    kubelet.runtime.resizes = false;

    startAnew(Pods.of(shown).resources("c", limits("3")).generation(2).build());
    assertThat(pending(pod).reason()).isEqualTo("Infeasible");
    assertThat(has(pod, "c").limits()).containsEntry("cpu", "2");
  }

  @Test
  void limitsThatChangedOnceMoreWhileNoAgentRanAreGrantedAnew() {
    PodView pod = limited();
    kubelet.runtime.hang("resize c cpu 3 memory -");
    PodView wanted = update(Pods.of(pod).resources("c", limits("3")), 2);
    PodView shown = kubelet.shown(wanted);

    startAnew(Pods.of(shown).resources("c", limits("4")).generation(3).build());
    assertThat(has(pod, "c").limits()).containsEntry("cpu", "4");
    assertThat(resizeEvents()).hasSize(2);
    notResizing(pod);
  }

  @Test
  void aNodeThatShrankWhileTheAgentWasDownRefusesNobodyWhoRuns() {
    PodView shown = kubelet.shown(run("a", "3"));

    kubelet = kubelet.restarted();
    node("2", "8Gi");
    Kubelet.done(kubelet.core.create(shown));
    kubelet.loop.advance(Duration.ofMinutes(5));
    assertThat(kubelet.status(shown).phase()).hasToString("RUNNING");
    assertThat(kubelet.runtime.list().result()).extracting(RuntimePod::pod).hasSize(1);
  }
}
