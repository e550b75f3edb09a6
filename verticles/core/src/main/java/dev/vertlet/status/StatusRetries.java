package dev.vertlet.status;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.loop.GuardedRetries;
import dev.vertlet.provider.failure.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * Retry policies of the requests about pods. A request that is given up is made again when the
 * provider reports the pod, a program {@linkplain dev.vertlet.bus.PodEnqueued enqueues} it, or the
 * node's lease is acquired anew.
 *
 * @param status of writes of statuses, and of the reads that follow a conflict
 * @param deletion of deletions of the objects of ended pods
 */
public record StatusRetries(RetryPolicy status, RetryPolicy deletion) {
  /** 100 ms doubling to 10 s: the kubelet re-checks its statuses every 10 s. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2);

  /** 100 ms doubling to 10 s, or as the API server's Retry-After asks, without end. */
  public static final RetryPolicy ENDLESS =
      (failed, random) ->
          Optional.of(BACKOFF.delay(failed.tries(), random, KubeException.from(failed.failure())));

  /** {@link #ENDLESS} for both. */
  public static final StatusRetries DEFAULTS = new StatusRetries(ENDLESS, ENDLESS);

  /** Returns these policies, guarded against exceptions and waits of no time. */
  StatusRetries guarded() {
    return equals(DEFAULTS)
        ? this
        : new StatusRetries(
            new GuardedRetries(status, ENDLESS), new GuardedRetries(deletion, ENDLESS));
  }
}
