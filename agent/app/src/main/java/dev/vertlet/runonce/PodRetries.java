package dev.vertlet.runonce;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Retries for one pod of {@code --runonce}: 10 waits, the first of 1 s, each twice as long as the
 * one before, as kubelets had it. Pure except for its own fields.
 */
final class PodRetries {
  /** What to do next for the pod. */
  sealed interface Verdict {
    /** All its containers run, or the pod has succeeded. */
    record Runs() implements Verdict {}

    /** Check again after this time. */
    record Wait(Duration delay) implements Verdict {}

    /** The pod will not run. */
    record Fails(String reason) implements Verdict {}
  }

  private static final int RETRIES = 10;
  private static final Duration FIRST = Duration.ofSeconds(1);

  private final PodView pod;
  private int retries;

  PodRetries(PodView pod) {
    this.pod = pod;
  }

  /** Name, namespace and UID, as a kubelet writes them. */
  static String format(PodView pod) {
    return pod.name() + "_" + pod.namespace() + "(" + pod.uid() + ")";
  }

  /**
   * @param status as the provider reports it, null before the first
   */
  Verdict next(@Nullable PodStatusView status) {
    if (status != null && (status.phase() == PodPhase.SUCCEEDED || allRun(status))) {
      return new Verdict.Runs();
    }
    if (status != null && status.phase() == PodPhase.FAILED) {
      return new Verdict.Fails("pod \"%s\" failed: %s".formatted(format(pod), why(status)).strip());
    }
    if (retries >= RETRIES) {
      return new Verdict.Fails(
          "timeout error: pod \"%s\" containers not running after %d retries"
              .formatted(format(pod), RETRIES));
    }
    return new Verdict.Wait(FIRST.multipliedBy(1L << retries++));
  }

  private static String why(PodStatusView status) {
    String reason = Objects.requireNonNullElse(status.reason(), "");
    String message = Objects.requireNonNullElse(status.message(), "");
    return reason.isEmpty() || message.isEmpty() ? reason + message : reason + ": " + message;
  }

  private boolean allRun(PodStatusView status) {
    long running =
        status.containerStatuses().stream()
            .filter(container -> container.state() instanceof Running)
            .map(ContainerStatusView::name)
            .distinct()
            .count();
    return running == pod.spec().containers().size();
  }
}
