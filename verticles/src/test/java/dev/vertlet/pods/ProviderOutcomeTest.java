package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.RestartPolicy;
import dev.vertlet.pods.PodMailbox.Operation;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProviderOutcomeTest {
  private static final PodView POD = pod("a").view();

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation.Create(POD),
          new Operation.Update(POD),
          new Operation.Delete(POD, Duration.ofSeconds(30)));

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
  void aKillHasNoPodLeftToTellOf() {
    Operation kill = new Operation.Kill(POD.ref());
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

  @Test
  void aPodThatIsTriedAgainIsPendingEvenIfItMayNeverRestart() {
    Throwable failure = new IllegalStateException("busy");
    PodReport pending = ProviderOutcome.pendingRetry(POD, failure);
    assertThat(pending.status().phase()).isEqualTo(PodPhase.PENDING);
    assertThat(pending.status().reason()).isEqualTo("ProviderFailed");
    PodReport never = ProviderOutcome.pendingRetry(neverRestarted(), failure);
    assertThat(never.status().phase()).isEqualTo(PodPhase.PENDING);
  }

  private static PodView neverRestarted() {
    PodSpecView s = POD.spec();
    PodSpecView spec =
        new PodSpecView(
            s.hash(),
            RestartPolicy.NEVER,
            s.terminationGracePeriodSeconds(),
            s.activeDeadlineSeconds(),
            s.hostNetwork(),
            s.priority(),
            s.readinessGates(),
            s.initContainers(),
            s.containers(),
            s.ephemeralContainers());
    return new PodView(
        POD.ref(),
        POD.resourceVersion(),
        POD.generation(),
        POD.nodeName(),
        POD.labels(),
        POD.annotations(),
        POD.controllerKind(),
        POD.creationTimestamp(),
        POD.deletionTimestamp(),
        POD.deletionGracePeriodSeconds(),
        spec,
        POD.status());
  }
}
