package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.testing.Pods;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProviderOutcomeTest {
  private static final PodView POD = pod("a").view();

  private static final List<PodOperation> OPERATIONS =
      List.of(
          new PodOperation.Create(POD),
          new PodOperation.Update(POD),
          new PodOperation.Delete(pod("a").deleted(30).view(), Duration.ofSeconds(30)));

  /** virtual-kubelet §1.7, the table of outcomes. */
  @Test
  void eachOperationOnAPodHasTheEventsOfVirtualKubelet() {
    assertThat(OPERATIONS.stream().map(ProviderOutcome::succeeded).map(Optional::orElseThrow))
        .extracting(ObjectEvent::type, ObjectEvent::reason)
        .containsExactly(
            tuple("Normal", "ProviderCreateSuccess"),
            tuple("Normal", "ProviderUpdateSuccess"),
            tuple("Normal", "ProviderDeleteSuccess"));
    Throwable failure = new IllegalStateException("broken");
    assertThat(
            OPERATIONS.stream()
                .map(operation -> ProviderOutcome.failed(operation, failure).orElseThrow()))
        .extracting(ObjectEvent::type, ObjectEvent::reason)
        .containsExactly(
            tuple("Warning", "ProviderCreateFailed"),
            tuple("Warning", "ProviderUpdateFailed"),
            tuple("Warning", "ProviderDeleteFailed"));
  }

  @Test
  void anUpdateThatNobodyCanDoIsTold() {
    assertThat(ProviderOutcome.notUpdated(POD, new IllegalStateException("no swaps")))
        .extracting(ObjectEvent::type, ObjectEvent::reason, ObjectEvent::message)
        .containsExactly("Warning", "InPlaceUpdateUnsupported", "no swaps");
  }

  @Test
  void aKillHasNoPodLeftToTellOf() {
    PodOperation kill = new PodOperation.Kill(POD.ref());
    assertThat(ProviderOutcome.succeeded(kill)).isEmpty();
    assertThat(ProviderOutcome.failed(kill, new IllegalStateException("broken"))).isEmpty();
  }

  @Test
  void aRefusedPodIsFailedWithTheProvidersReason() {
    PodReport report =
        ProviderOutcome.rejected(POD, new ProviderException(Kind.INVALID, "NoGpu", "needs a GPU"));
    assertThat(report.status().phase()).isEqualTo(PodPhase.FAILED);
    assertThat(report.status().reason()).isEqualTo("NoGpu");
    assertThat(report.status().message()).isEqualTo("Pod was rejected: needs a GPU");
    assertThat(report.finished()).isFalse();
  }

  @Test
  void aRefusalWithoutAReasonGetsOne() {
    Throwable nameless = new ProviderException(Kind.INVALID, "", "no");
    assertThat(ProviderOutcome.rejectedEvent(POD, nameless).reason()).isEqualTo("ProviderRejected");
    Throwable foreign = new IllegalStateException();
    assertThat(ProviderOutcome.rejectedEvent(POD, foreign))
        .extracting(ObjectEvent::reason, ObjectEvent::message)
        .containsExactly("ProviderRejected", "IllegalStateException");
  }

  /** virtual-kubelet §1.7: the status of a create error; the kubelet core has none such. */
  @ParameterizedTest(name = "{0}, plain {1}: {2}")
  @CsvSource({
    "ALWAYS,    true,  PENDING",
    "ON_FAILURE, true, PENDING",
    "NEVER,     true,  FAILED",
    "ALWAYS,    false, PENDING",
    "NEVER,     false, PENDING"
  })
  void aPodThatCouldNotBeCreatedWaitsOrHasFailed(
      RestartPolicy policy, boolean plain, PodPhase phase) {
    PodView pod = restarting(policy);
    PodReport report = ProviderOutcome.notCreated(pod, new IllegalStateException("busy"), plain);
    assertThat(report.status().phase()).isEqualTo(phase);
    assertThat(report.status().reason()).isEqualTo("ProviderFailed");
    assertThat(report.status().message()).isEqualTo("busy");
    assertThat(report.finished()).isFalse();
  }

  /**
   * virtual-kubelet 2.4-10, §1.7 step 7: such a pod stays Pending, also one that never restarts.
   */
  @ParameterizedTest
  @EnumSource(RestartPolicy.class)
  @Tag("2.4-10")
  void aPodWhoseEnvironmentCannotBeMadeWaitsAsOnAKubelet(RestartPolicy policy) {
    Throwable failure =
        new ProviderException(Kind.TEMPORARY, "CreateContainerConfigError", "no address yet");
    PodReport report = ProviderOutcome.notCreated(restarting(policy), failure, true);
    assertThat(report.status().phase()).isEqualTo(PodPhase.PENDING);
    assertThat(report.status().reason()).isNull();
    assertThat(report.status().containerStatuses())
        .extracting(ContainerStatusView::name, ContainerStatusView::state)
        .containsExactly(
            tuple(
                "main",
                new ContainerStateView.Waiting("CreateContainerConfigError", "no address yet")));
    assertThat(report.finished()).isFalse();
  }

  /** virtual-kubelet §1.7 rule 6: what has ended by itself is of no interest to its events. */
  @Test
  void theEndOfAPodThatNobodyDeletedIsNotToldOf() {
    PodOperation end = new PodOperation.Delete(POD, Duration.ofSeconds(30));
    assertThat(ProviderOutcome.succeeded(end)).isEmpty();
    assertThat(ProviderOutcome.failed(end, new IllegalStateException("broken"))).isEmpty();
  }

  private static PodView restarting(RestartPolicy policy) {
    return Pods.of(POD).policy(policy).build();
  }
}
