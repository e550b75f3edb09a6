package dev.vertlet.content;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.content.file.FileTasks;
import dev.vertlet.kube.Backoff;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.pod.ProviderContext;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** What the contents of pods use from their start to their stop. */
record ContentServices(ProviderContext context, CoreLoop loop, FileTasks files) {
  /** Reason of events and failures about volumes; a kubelet's. */
  static final String FAILED_MOUNT = "FailedMount";

  /**
   * Pauses between tries to set up a volume, with jitter as many pods may have it.
   *
   * @see <a
   *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go">
   *     initialDurationBeforeRetry, maxDurationBeforeRetry, kubelet 1.36.3</a>
   */
  private static final Backoff RETRIES =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(122), 2, 0.5);

  RandomGenerator random() {
    return context.random();
  }

  Instant instant() {
    return context.clock().instant();
  }

  /** Epoch milliseconds. */
  long now() {
    return context.clock().millis();
  }

  /**
   * Returns when to try a failed pod again, epoch milliseconds.
   *
   * @param failures in a row, at least 1
   */
  long retryAt(int failures) {
    return now() + RETRIES.delay(failures, random()).toMillis();
  }

  /** Writes the event of volumes that cannot be mounted. */
  void failedMount(PodView pod, String message) {
    warn(pod, FAILED_MOUNT, message);
  }

  void notInMemory(PodView pod, String volume) {
    warn(
        pod,
        "EmptyDirNotInMemory",
        "volume \""
            + volume
            + "\" of medium Memory is on disk: the agent may not mount file systems");
  }

  /** Writes a Warning event of a pod. */
  void warn(PodView pod, String reason, String message) {
    PodRef ref = pod.ref();
    context.event(
        new ObjectEvent(
            "Pod",
            ref.namespace(),
            ref.name(),
            ref.uid(),
            "",
            ObjectEvent.WARNING,
            reason,
            message,
            pod.nodeName()));
  }
}
