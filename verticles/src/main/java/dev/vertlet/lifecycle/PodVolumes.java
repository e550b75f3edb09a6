package dev.vertlet.lifecycle;

import dev.vertlet.env.VolumeMounts.Outcome;
import dev.vertlet.provider.ContainerRuntime;
import org.jspecify.annotations.Nullable;

/** Lets no sandbox be made before the pod's volumes can be mounted. */
final class PodVolumes {
  /** Pauses of a kubelet's exponential back-off for one volume, milliseconds. */
  private static final long FIRST_PAUSE = 500;

  private static final long LONGEST_PAUSE = 122_000;

  /** How long one sync of a kubelet waits for all volumes: podAttachAndMountTimeout. */
  private static final long PATIENCE = 123_000;

  private final ActionPerformer performer;
  private final ContainerRuntime runtime;
  private final ContainerEnvironments environments;
  private final PodEvents events;

  PodVolumes(
      ActionPerformer performer,
      ContainerRuntime runtime,
      ContainerEnvironments environments,
      PodEvents events) {
    this.performer = performer;
    this.runtime = runtime;
    this.environments = environments;
    this.events = events;
  }

  /** Of a pod whose volumes cannot be mounted; times are epoch milliseconds. */
  static final class Attempts {
    private long pause;
    private long nextAt;
    private long givenUpAt;

    /** When to look again. */
    private long due() {
      return Math.min(nextAt, givenUpAt);
    }
  }

  /** Whether they can be mounted; else when to look again is noted. */
  boolean mounted(PodState pod) {
    Outcome outcome = environments.volumes(pod.pod).check(runtime::mounts);
    pod.waitsForVolumes = !(outcome instanceof Outcome.Mounted);
    if (outcome instanceof Outcome.Waiting waiting) {
      pod.sandboxRetryAt = waiting.until();
    } else if (outcome instanceof Outcome.Failed failed) {
      pod.mounting = failed(pod, failed, pod.mounting);
      pod.sandboxRetryAt = pod.mounting.due();
      pod.dirty = true;
    } else {
      pod.mounting = null;
    }
    return !pod.waitsForVolumes;
  }

  private Attempts failed(PodState pod, Outcome.Failed failed, @Nullable Attempts before) {
    long now = performer.now();
    Attempts attempts = before == null ? new Attempts() : before;
    if (before == null) {
      attempts.givenUpAt = now + PATIENCE;
    }
    if (now >= attempts.nextAt) {
      attempts.pause =
          attempts.pause == 0 ? FIRST_PAUSE : Math.min(2 * attempts.pause, LONGEST_PAUSE);
      attempts.nextAt = now + attempts.pause;
      failed.setUps().forEach(message -> events.warning(pod, PodEvents.FAILED_MOUNT, message));
    }
    boolean unprocessed = !failed.unprocessed().isEmpty();
    if (unprocessed) {
      // ends a sync at once, and the next one begins after the pause for errors
      events.warning(pod, PodEvents.FAILED_MOUNT, failed.unprocessed());
      attempts.nextAt = performer.retryAt();
    }
    if (now >= attempts.givenUpAt && !unprocessed) {
      events.warning(
          pod,
          PodEvents.FAILED_MOUNT,
          ("Unable to attach or mount volumes: unmounted volumes=[%s], unattached volumes=[], failed"
                  + " to process volumes=[]: context deadline exceeded")
              .formatted(String.join(" ", failed.volumes())));
    }
    if (now >= attempts.givenUpAt || unprocessed) {
      attempts.givenUpAt = performer.retryAt() + PATIENCE;
    }
    return attempts;
  }
}
