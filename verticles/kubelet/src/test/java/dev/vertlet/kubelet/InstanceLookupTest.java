package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.kubelet.InstanceLookup.Found;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.testing.Pods;
import dev.vertlet.testing.Statuses;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each answer of a kubelet, in its words (C56). */
class InstanceLookupTest {
  private static final Running RUNNING = new Running(null);
  private static final PodSpecView SPEC =
      Pods.pod()
          .container("c")
          .init(new ContainerView("i", "img", "Always", null))
          .ephemeral(new ContainerView("e", "img", "Always", null))
          .build()
          .spec();

  private static Terminated end(@Nullable String id) {
    return new Terminated(1, 0, "Error", null, null, null, id);
  }

  private static Waiting waiting(@Nullable String reason) {
    return new Waiting(reason, null);
  }

  private static ContainerStatusView status(
      String name,
      @Nullable String id,
      @Nullable ContainerStateView state,
      @Nullable ContainerStateView last) {
    return new ContainerStatusView(name, "img", "", id, 0, true, true, state, last);
  }

  private static PodStatusView pod(ContainerStatusView... regular) {
    return pod(List.of(), List.of(regular), List.of());
  }

  private static PodStatusView pod(
      List<ContainerStatusView> init,
      List<ContainerStatusView> regular,
      List<ContainerStatusView> ephemeral) {
    return Statuses.in(PodPhase.RUNNING).containers(init, regular, ephemeral).build();
  }

  private static Found log(
      @Nullable String id,
      @Nullable ContainerStateView state,
      @Nullable ContainerStateView last,
      boolean previous) {
    return InstanceLookup.log("p", SPEC, pod(status("c", id, state, last)), "c", previous);
  }

  private static ProviderException refusal(Runnable lookup) {
    return catchThrowableOfType(ProviderException.class, lookup::run);
  }

  private static void noLog(
      String message, @Nullable ContainerStateView state, @Nullable ContainerStateView last) {
    assertThat(refusal(() -> log(null, state, last, false)))
        .hasMessage(message)
        .extracting(ProviderException::kind)
        .isEqualTo(Kind.INVALID);
  }

  @Test
  void theLogIsThatOfTheRunningInstance() {
    assertThat(log("r://2", RUNNING, end("r://1"), false)).isEqualTo(new Found("r://2", RUNNING));
  }

  @Test
  void ofOneThatHasEndedItIsThatOfTheLastOneWithAName() {
    assertThat(log("r://2", end("r://2"), end("r://1"), false).id()).isEqualTo("r://2");
    assertThat(log("r://1", end(null), end("r://1"), false).id()).isEqualTo("r://1");
    assertThat(log("r://1", end(""), end("r://1"), false).id()).isEqualTo("r://1");
    noLog("container \"c\" in pod \"p\" is terminated", end(null), null);
    noLog("container \"c\" in pod \"p\" is terminated", end(""), end(null));
  }

  @Test
  void ofOneThatWaitsForItsRestartItIsThatOfTheOneBefore() {
    Found found = log("r://1", waiting("CrashLoopBackOff"), end("r://1"), false);
    assertThat(found).isEqualTo(new Found("r://1", end("r://1")));
    noLog("container \"c\" in pod \"p\" is terminated", waiting("CrashLoopBackOff"), end(null));
  }

  @Test
  @Tag("C56")
  void c56ThePreviousInstanceIsTheLastStateOrNobody() {
    assertThat(log("r://2", RUNNING, end("r://1"), true).id()).isEqualTo("r://1");
    noPrevious(null);
    noPrevious(end(null));
    noPrevious(end(""));
    noPrevious(RUNNING);
  }

  private static void noPrevious(@Nullable ContainerStateView last) {
    assertThat(refusal(() -> log("r://2", RUNNING, last, true)))
        .hasMessage("previous terminated container \"c\" in pod \"p\" not found")
        .extracting(ProviderException::kind)
        .isEqualTo(Kind.INVALID);
  }

  @Test
  void ofOneThatHasNotStartedTheReasonIsTold() {
    String waits = "container \"c\" in pod \"p\" is waiting to start: ";
    noLog(waits + "ContainerCreating", waiting("ContainerCreating"), null);
    noLog(waits + "PodInitializing", waiting("PodInitializing"), null);
    noLog(waits + "image can't be pulled", waiting("ErrImagePull"), null);
    noLog(waits + "trying and failing to pull image", waiting("ImagePullBackOff"), null);
    noLog(waits, waiting(null), null);
    noLog("container \"c\" in pod \"p\" is waiting to start - no logs yet", null, null);
    noLog("container \"c\" in pod \"p\" is waiting to start - no logs yet", RUNNING, null);
  }

  @Test
  void containersOfEveryKindAreFound() {
    PodStatusView status =
        pod(
            List.of(status("i", "r://i", RUNNING, null)),
            List.of(status("c", "r://c", RUNNING, null)),
            List.of(status("e", "r://e", RUNNING, null)));
    for (String name : List.of("i", "c", "e")) {
      assertThat(InstanceLookup.log("p", SPEC, status, name, false).id()).isEqualTo("r://" + name);
    }
  }

  @Test
  @Tag("C56")
  void c56AnUnknownContainerIsNotFoundAndOneWithoutStatusIsNotAvailable() {
    assertThat(refusal(() -> InstanceLookup.log("p", SPEC, pod(), "x", false)))
        .hasMessage("container \"x\" not found in pod \"p\"")
        .extracting(ProviderException::kind)
        .isEqualTo(Kind.NOT_FOUND);
    assertThat(refusal(() -> InstanceLookup.log("p", SPEC, pod(), "c", false)))
        .hasMessage("container \"c\" in pod \"p\" is not available")
        .extracting(ProviderException::kind)
        .isEqualTo(Kind.INVALID);
  }

  @Test
  void commandsRunInWhatRuns() {
    assertThat(InstanceLookup.running(SPEC, "c", record(RUNNING), "no"))
        .isEqualTo(new Found("r://c", RUNNING));
    assertThat(refusal(() -> InstanceLookup.running(SPEC, "c", record(end("r://c")), "no")))
        .hasMessage("no")
        .extracting(ProviderException::kind)
        .isEqualTo(Kind.TEMPORARY);
    assertThat(refusal(() -> InstanceLookup.running(SPEC, "c", null, "no")).kind())
        .isEqualTo(Kind.TEMPORARY);
    assertThat(refusal(() -> InstanceLookup.running(SPEC, "x", null, "no")).kind())
        .isEqualTo(Kind.NOT_FOUND);
  }

  private static ContainerRecord record(ContainerStateView state) {
    return new ContainerRecord("r://c", "c", 0, "img", "", state, null, null);
  }
}
