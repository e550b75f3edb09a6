package dev.vertlet.pods;

import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.ProviderException;

/**
 * Shows users the results of the provider's operations: decides which of the statuses and events of
 * {@link ProviderOutcome} are written.
 */
final class OutcomeReporter {
  private final PodSync.Surroundings around;
  private final boolean writesEvents;

  /**
   * @param writesEvents whether the provider writes events of its own
   */
  OutcomeReporter(PodSync.Surroundings around, boolean writesEvents) {
    this.around = around;
    this.writesEvents = writesEvents;
  }

  void succeeded(PodOperation done) {
    if (!writesEvents) {
      ProviderOutcome.succeeded(done).ifPresent(around::event);
    }
  }

  void failed(PodOperation failed, Throwable failure) {
    ProviderException.Kind kind = ProviderException.kindOf(failure);
    // virtual-kubelet writes an event for a delete of an unknown pod; the others need none
    if (kind == ProviderException.Kind.NOT_FOUND && !(failed instanceof PodOperation.Delete)) {
      return;
    }
    if (failed instanceof PodOperation.Create create) {
      if (ProviderOutcome.permanent(kind)) {
        around.report(ProviderOutcome.rejected(create.pod(), failure));
        around.event(ProviderOutcome.rejectedEvent(create.pod(), failure));
        return;
      }
      notCreated(create, failure);
    }
    if (failed instanceof PodOperation.Update update
        && kind == ProviderException.Kind.UNSUPPORTED) {
      around.event(ProviderOutcome.notUpdated(update.pod(), failure));
      return;
    }
    if (!writesEvents) {
      ProviderOutcome.failed(failed, failure).ifPresent(around::event);
    }
  }

  private void notCreated(PodOperation.Create create, Throwable failure) {
    boolean begun = create.pod().status().phase() != PodPhase.PENDING;
    if (!(begun && (writesEvents || ProviderOutcome.unresolved(failure)))) {
      // a pod that ran under a previous agent continues to run, and is resumed by a later retry
      around.report(ProviderOutcome.notCreated(create.pod(), failure, !writesEvents));
    }
  }
}
