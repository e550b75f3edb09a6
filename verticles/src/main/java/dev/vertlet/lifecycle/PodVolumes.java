package dev.vertlet.lifecycle;

import dev.vertlet.env.VolumeMounts;
import dev.vertlet.env.VolumeMounts.Outcome;
import dev.vertlet.provider.ContainerRuntime;
import java.time.Clock;

/** Lets no sandbox be made before the pod's volumes can be mounted. */
final class PodVolumes {
  /** Pauses of a kubelet's exponential back-off for one volume, milliseconds. */
  private static final long FIRST_PAUSE = 500;

  private static final long LONGEST_PAUSE = 122_000;

  private final ContainerRuntime runtime;
  private final ContainerEnvironments environments;
  private final PodEvents events;
  private final Clock clock;

  PodVolumes(
      ContainerRuntime runtime, ContainerEnvironments environments, PodEvents events, Clock clock) {
    this.runtime = runtime;
    this.environments = environments;
    this.events = events;
    this.clock = clock;
  }

  /** Whether they can be mounted; else when to look again is noted. */
  boolean mounted(PodState pod) {
    Outcome outcome =
        VolumeMounts.check(pod.pod, runtime::mounts, key -> environments.read(key, clock.millis()));
    if (outcome instanceof Outcome.Waiting waiting) {
      pod.waitsForVolumes = true;
      pod.sandboxRetryAt = waiting.until();
    } else if (outcome instanceof Outcome.Failed failed) {
      pod.waitsForVolumes = true;
      pod.dirty = true;
      pod.mountPause =
          pod.mountPause == 0 ? FIRST_PAUSE : Math.min(2 * pod.mountPause, LONGEST_PAUSE);
      pod.sandboxRetryAt = clock.millis() + pod.mountPause;
      failed.messages().forEach(message -> events.warning(pod, PodEvents.FAILED_MOUNT, message));
    } else {
      pod.waitsForVolumes = false;
      pod.mountPause = 0;
    }
    return !pod.waitsForVolumes;
  }
}
