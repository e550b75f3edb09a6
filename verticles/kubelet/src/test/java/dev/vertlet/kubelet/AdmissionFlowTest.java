package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.testing.NodeSpecs;
import dev.vertlet.testing.Placements;
import dev.vertlet.testing.Pods;
import dev.vertlet.testing.Statuses;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spec §7 through the whole core: who is refused, once, and what becomes of it. */
class AdmissionFlowTest {
  private final Kubelet kubelet = new Kubelet();

  private void node(Nodes node) {
    kubelet.core.nodes().observed(node.build());
  }

  private static Nodes four() {
    return new Nodes("n").has("cpu", "4").has("memory", "8Gi").has("pods", "110");
  }

  private static PodView asking(String name, long milli) {
    return Pods.pod(name).cpu(milli).build();
  }

  @Test
  @Tag("C39")
  void c39APodThatIsTooBigFailsAndNothingOfItIsStarted() {
    node(four());

    PodView pod = kubelet.create(Pods.pod().cpu(5000));
    PodReport report = kubelet.report(pod);
    String message =
        "Node didn't have enough resource: cpu, requested: 5000, used: 0, capacity: 4000";
    assertThat(report.finished()).isTrue();
    assertThat(report.status().phase()).isEqualTo(PodPhase.FAILED);
    assertThat(report.status().reason()).isEqualTo("OutOfcpu");
    assertThat(report.status().message()).isEqualTo("Pod was rejected: " + message);
    assertThat(report.status().containerStatuses()).isEmpty();
    assertThat(report.status().startTime()).isNotNull();
    assertThat(kubelet.eventLines()).containsExactly("Warning OutOfcpu " + message);
    assertThat(kubelet.runtime.calls).containsExactly("restore p");

    kubelet.advance(600);
    assertThat(kubelet.runtime.calls("start")).isEmpty();
    assertThat(kubelet.reports).hasSize(1);
  }

  @Test
  void aRejectedPodGoesAtOnceWhenItIsDeletedAndIsNotTriedAgain() {
    node(four());
    PodView pod = kubelet.create(Pods.pod().cpu(5000));
    Kubelet.done(kubelet.core.update(kubelet.shown(pod)));

    kubelet.delete(pod, 30);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.core.list().result()).isEmpty();
  }

  @Test
  @Tag("C40")
  void c40ThePodBeyondTheLastOneIsRefusedUntilOneHasEnded() {
    node(four().has("pods", "2"));
    PodView first = kubelet.create(Pods.pod("a").never());
    kubelet.create(Pods.pod("b"));

    PodView third = kubelet.create(Pods.pod("c"));
    assertThat(kubelet.status(third).reason()).isEqualTo("OutOfpods");

    kubelet.runtime.exit(first.ref(), "c", 0);
    PodView fourth = kubelet.create(Pods.pod("d"));
    assertThat(kubelet.phase(fourth)).isEqualTo(PodPhase.RUNNING);

    PodView fifth = kubelet.create(Pods.pod("e"));
    assertThat(kubelet.status(fifth).reason()).isEqualTo("OutOfpods");
  }

  /** Schedulers stop counting a pod when its phase says so, not when its sandbox is gone. */
  @Test
  void whatAnEndedPodTookIsFreeWhileItsSandboxIsBeingRemoved() {
    node(four());
    PodView pod = kubelet.create(Pods.pod("a").never().cpu(4000));
    Promise<Object> removal = kubelet.runtime.hang("remove a");

    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(kubelet.phase(kubelet.create(Pods.pod("b").cpu(4000)))).isEqualTo(PodPhase.RUNNING);

    removal.complete();
    PodView late = kubelet.create(Pods.pod("c").cpu(1));
    assertThat(kubelet.status(late).reason()).isEqualTo("OutOfcpu");
  }

  @Test
  void whatAPodTookIsFreeOnceItsObjectIsGone() {
    node(four());
    PodView pod = kubelet.create(Pods.pod("a").cpu(4000));
    kubelet.runtime.hang("stop c 1000");

    Kubelet.done(kubelet.core.kill(pod.ref()));
    assertThat(kubelet.phase(kubelet.create(Pods.pod("b").cpu(4000)))).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void anOlderViewOfTheNodeIsNotBelieved() {
    node(four().version(20));

    node(four().has("cpu", "1").version(18));
    assertThat(kubelet.phase(kubelet.create(Pods.pod("a").cpu(4000)))).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  @Tag("C49")
  void c49PodsStayOnANodeThatGetsSmallerAndNewOnesFindWhatIsLeft() {
    node(four());
    PodView pod = kubelet.create(Pods.pod("a").cpu(3000));

    node(four().has("cpu", "2").version(2));
    Kubelet.done(kubelet.core.update(kubelet.shown(pod)));
    kubelet.advance(600);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.status(kubelet.create(Pods.pod("b").cpu(1))).reason()).isEqualTo("OutOfcpu");

    node(four().has("cpu", "8").version(3));
    assertThat(kubelet.phase(kubelet.create(Pods.pod("c").cpu(5000)))).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  @Tag("C49")
  void c49ARuntimeSaysWhatItsNodeHasNow() {
    NodeProvider nodes = kubelet.core.nodes();
    List<String> told = new ArrayList<>();
    nodes.onChange(told::add);
    NodeSpec configured = having("4");
    assertThat(nodes.configure(configured)).isEqualTo(configured);

    kubelet.runtime.becomes("n", spec -> having("8"));
    assertThat(told).containsExactly("n");
    assertThat(nodes.configure(configured)).isEqualTo(having("8"));
  }

  private static NodeSpec having(String cpu) {
    return NodeSpecs.having("n", Map.of("cpu", cpu));
  }

  @Test
  void whatADeletedPodTookIsFreeAgain() {
    node(four());
    PodView pod = kubelet.create(Pods.pod("a").cpu(4000));
    assertThat(kubelet.status(kubelet.create(Pods.pod("b").cpu(1))).reason()).isEqualTo("OutOfcpu");

    kubelet.delete(pod, 1);
    kubelet.advance(2);
    assertThat(kubelet.phase(kubelet.create(Pods.pod("c").cpu(4000)))).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  @Tag("C67")
  void c67WhatWasAcceptedBeforeARestartIsNeverRefusedAndStillCounts() {
    node(four());
    PodView pod = kubelet.create(Pods.pod("a").cpu(3000));
    Kubelet next = kubelet.restarted();
    next.core.nodes().observed(new Nodes("n").has("cpu", "1").has("pods", "110").build());

    Kubelet.done(next.core.create(kubelet.shown(pod)));
    assertThat(next.core.get(pod.ref()).result().orElseThrow().status().phase())
        .isEqualTo(PodPhase.RUNNING);

    next.core.nodes().observed(four().build());
    PodView late = next.create(Pods.pod("b").cpu(2000));
    assertThat(next.status(late).message()).contains("requested: 2000, used: 3000, capacity: 4000");
  }

  @Test
  void whatTheRuntimeRunsIsNotRefusedEither() {
    PodView pod = kubelet.create(Pods.pod("a").cpu(3000));
    Kubelet next = kubelet.restarted();
    next.core.nodes().observed(new Nodes("n").has("cpu", "1").has("pods", "110").build());

    Kubelet.done(next.core.create(pod));
    assertThat(next.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aPodThatIsOverOrBeingDeletedIsNotRefused() {
    node(four());
    PodStatusView over = Statuses.in(PodPhase.SUCCEEDED).build();
    PodView succeeded = Pods.pod("over").cpu(9000).status(over).build();
    PodView deleted = Pods.pod("deleted").cpu(9000).deleted(kubelet.loop.instant()).build();

    Kubelet.done(kubelet.core.create(succeeded));
    Kubelet.done(kubelet.core.delete(deleted, Duration.ofSeconds(1)));
    kubelet.advance(2);
    assertThat(kubelet.eventLines()).noneMatch(e -> e.contains("OutOf"));
    assertThat(kubelet.status(succeeded).phase()).isEqualTo(PodPhase.SUCCEEDED);
  }

  @Test
  void anUpdateNeverRefusesAPod() {
    node(four());
    PodView pod = kubelet.create(Pods.pod().cpu(4000));
    node(four().has("cpu", "1"));

    Kubelet.done(kubelet.core.update(Pods.of(kubelet.shown(pod)).cpu(6000).build()));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);

    node(four().has("cpu", "7"));
    PodView other = kubelet.create(Pods.pod("b").cpu(2000));
    assertThat(kubelet.status(other).message()).contains("used: 6000, capacity: 7000");
  }

  private static PodView selecting(String name, String key, String value) {
    return Pods.pod(name)
        .placement(Placements.anywhere().selector(Map.of(key, value)).build())
        .build();
  }

  @Test
  @Tag("C41")
  void c41LabelsAreReadAgainBeforeAPodIsRefusedForThem() {
    node(four());
    kubelet.nodes = name -> Future.succeededFuture(four().label("disk", "ssd").build());

    PodView fits = selecting("fits", "disk", "ssd");
    Kubelet.done(kubelet.core.create(fits));
    assertThat(kubelet.phase(fits)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.nodeReads).isEqualTo(1);

    PodView fails = selecting("fails", "disk", "tape");
    Kubelet.done(kubelet.core.create(fails));
    assertThat(kubelet.nodeReads).isEqualTo(2);
    assertThat(kubelet.status(fails).reason()).isEqualTo("NodeAffinity");
    assertThat(kubelet.status(fails).message())
        .isEqualTo(
            "Pod was rejected: Predicate NodeAffinity failed:"
                + " node(s) didn't match Pod's node affinity/selector");
  }

  @Test
  @Tag("C41")
  void c41ANodeThatCannotBeReadIsJudgedByWhatIsKnown() {
    node(four());
    kubelet.nodes = name -> Future.failedFuture("no connection");

    PodView pod = selecting("p", "disk", "ssd");
    Kubelet.done(kubelet.core.create(pod));
    assertThat(kubelet.status(pod).reason()).isEqualTo("NodeAffinity");
  }

  @Test
  void aNodeThatNobodySawIsReadOnceAndAPodWaitsForThat() {
    Promise<NodeView> slow = Promise.promise();
    kubelet.nodes = name -> slow.future();
    PodView pod = asking("p", 5000);
    Future<Void> created = kubelet.core.create(pod);
    assertThat(created.isComplete()).isFalse();
    assertThat(kubelet.core.create(pod)).isSameAs(created);

    slow.complete(four().build());
    Kubelet.done(created);
    assertThat(kubelet.status(pod).reason()).isEqualTo("OutOfcpu");
    assertThat(kubelet.nodeReads).isEqualTo(1);

    PodView next = kubelet.create(Pods.pod("next").cpu(4000));
    assertThat(kubelet.phase(next)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.nodeReads).isEqualTo(1);
  }

  @Test
  void aPodIsTriedAgainWhenNothingIsKnownOfItsNode() {
    kubelet.nodes = name -> Future.failedFuture("no connection");
    PodView pod = asking("p", 1);

    Future<Void> created = kubelet.core.create(pod);
    assertThat(created.failed()).isTrue();
    assertThat(kubelet.core.list().result()).isEmpty();

    kubelet.nodes = name -> Future.succeededFuture(four().build());
    Kubelet.done(kubelet.core.create(pod));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aPodThatIsDeletedWhileItsNodeIsReadEndsWithoutAWord() {
    Promise<NodeView> slow = Promise.promise();
    kubelet.nodes = name -> slow.future();
    PodView pod = asking("p", 5000);
    Future<Void> created = kubelet.core.create(pod);
    kubelet.delete(pod, 30);

    slow.complete(four().build());
    kubelet.advance(1);
    Kubelet.done(created);
    assertThat(kubelet.report(pod).finished()).isTrue();
    assertThat(kubelet.eventLines()).isEmpty();
    assertThat(kubelet.runtime.calls("start")).isEmpty();
  }

  /** C39 for a pod that the node must not do without. */
  @Test
  @Tag("C39")
  void c39ACriticalPodWaitsForTheRoomThatOthersMake() {
    node(four());
    PodView small = kubelet.create(Pods.pod("small").cpu(1000));
    PodView big = kubelet.create(Pods.pod("big").cpu(3000).grace(20));
    kubelet.runtime.stubborn.add("c");

    PodView critical = Pods.pod("critical").cpu(2000).priority(2_000_000_000).build();
    Future<Void> created = kubelet.core.create(critical);
    PodView late = kubelet.create(Pods.pod("late").cpu(1000));
    kubelet.advance(19);
    assertThat(created.isComplete()).isFalse();
    assertThat(kubelet.runtime.calls("sandbox critical")).isEmpty();
    assertThat(kubelet.status(late).reason()).isEqualTo("OutOfcpu");
    assertThat(kubelet.eventLines())
        .contains("Warning Preempting Preempted in order to admit critical pod");

    kubelet.advance(2);
    assertThat(created.succeeded()).isTrue();
    assertThat(kubelet.phase(critical)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.phase(small)).isEqualTo(PodPhase.RUNNING);
    assertThat(kubelet.phase(big)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(big).reason()).isEqualTo("Preempting");
    assertThat(kubelet.status(big).message()).isEqualTo("Preempted in order to admit critical pod");
    assertThat(kubelet.condition(big, "DisruptionTarget").reason())
        .isEqualTo("TerminationByKubelet");
    assertThat(kubelet.condition(big, "DisruptionTarget").message())
        .isEqualTo("Pod was preempted by Kubelet to accommodate a critical pod.");
  }

  @Test
  void aCriticalPodDoesNotWaitForEverForAPodThatDoesNotGo() {
    node(four());
    kubelet.create(Pods.pod("big").cpu(3000).grace(20));
    kubelet.runtime.chaos = call -> FakeRuntime.Chaos.Fate.HANG;
    Future<Void> created =
        kubelet.core.create(Pods.pod("critical").cpu(2000).priority(2_000_000_000).build());
    kubelet.runtime.release(0);

    kubelet.advance(29);
    assertThat(created.isComplete()).isFalse();
    kubelet.advance(2);
    assertThat(created.succeeded()).isTrue();
  }

  @Test
  void nobodyGoesForACriticalPodThatCannotRunAnyway() {
    node(four());
    PodView big = kubelet.create(Pods.pod("big").cpu(3000));

    PodView never = kubelet.create(Pods.pod("never").cpu(5000).priority(2_000_000_000));
    PodView wrong =
        kubelet.create(
            Pods.pod("wrong")
                .placement(
                    Placements.asking(new PodRequests(4000, 0, 0, Map.of()))
                        .selector(Map.of("zone", "b"))
                        .build())
                .priority(2_000_000_000));
    assertThat(kubelet.status(never).reason()).isEqualTo("UnexpectedAdmissionError");
    assertThat(kubelet.status(never).message())
        .isEqualTo(
            "Pod was rejected: Unexpected error while attempting to recover from admission failure:"
                + " preemption: error finding a set of pods to preempt: no set of running pods"
                + " found to reclaim resources: [(res: cpu, q: 1000), ]");
    assertThat(kubelet.status(wrong).reason()).isEqualTo("NodeAffinity");
    assertThat(kubelet.phase(big)).isEqualTo(PodPhase.RUNNING);
  }
}
