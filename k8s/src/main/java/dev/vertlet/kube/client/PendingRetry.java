package dev.vertlet.kube.client;

import dev.vertlet.kube.KubeException;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs once: after its back-off, or before as soon as the API server works again. Made
 * by {@link KubeClient#retryLater}; confined to the context that it was made on.
 */
public final class PendingRetry {
  private final KubeClient kube;
  private final ContextInternal context;
  private final Runnable returned = this::onReturn;
  private final long timer;
  private @Nullable Runnable task;

  PendingRetry(
      KubeClient kube,
      ContextInternal context,
      Duration delay,
      KubeException failure,
      Runnable task) {
    this.kube = kube;
    this.context = context;
    this.task = task;
    this.timer = context.setTimer(Math.max(1, delay.toMillis()), id -> run());
    if (failure.endsWithReturn()) {
      kube.context().runOnContext(v -> kube.onReturn(returned));
    }
  }

  private void onReturn() {
    context.runOnContext(v -> run());
  }

  private void run() {
    Runnable due = task;
    if (due != null) {
      cancel();
      due.run();
    }
  }

  /** Drops the task unless it has run. */
  public void cancel() {
    if (task != null) {
      task = null;
      context.owner().cancelTimer(timer);
      kube.context().runOnContext(v -> kube.offReturn(returned));
    }
  }
}
