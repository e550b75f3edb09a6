package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Promises of a {@link ContainerRuntime} about sandboxes, images and containers. */
abstract class RuntimeContainersTck extends RuntimeOperations {
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
}
