package dev.vertlet.kubelet.podworker;

import dev.vertlet.env.VolumePreparer.Outcome;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.MountAttempts;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.provider.container.ContainerRuntime;
import org.jspecify.annotations.Nullable;

/** Delays the sandbox until the pod's volumes can be mounted. */
final class PodVolumes {
  private final RuntimeCalls calls;
  private final ContainerRuntime runtime;
  private final ContainerEnvironments environments;
  private final PodEvents events;

  PodVolumes(CoreEnv env, RuntimeCalls calls, ContainerEnvironments environments) {
    this.runtime = env.runtime();
    this.calls = calls;
    this.environments = environments;
    this.events = env.events();
  }

  /** Whether the volumes can be mounted; if not, notes when to check again. */
  boolean mounted(PodState pod) {
    Outcome outcome = environments.volumes(pod.view()).check(runtime::mounts);
    if (outcome instanceof Outcome.Mounted) {
      outcome = environments.prepare(pod);
    }
    if (outcome instanceof Outcome.Waiting waiting) {
      pod.sandbox(pod.sandbox().volumesAwaited(waiting.until()));
    } else if (outcome instanceof Outcome.Failed failed) {
      MountAttempts attempts = failed(pod, failed, pod.sandbox().mounting());
      pod.sandbox(pod.sandbox().volumesFailed(attempts));
    }
    return outcome instanceof Outcome.Mounted;
  }

  private MountAttempts failed(
      PodState pod, Outcome.Failed failed, @Nullable MountAttempts before) {
    long now = calls.now();
    MountAttempts attempts = before == null ? new MountAttempts(now) : before;
    if (attempts.failed(now)) {
      failed.setUps().forEach(message -> events.warning(pod, PodEvents.FAILED_MOUNT, message));
    }
    boolean unprocessed = !failed.unprocessed().isEmpty();
    if (unprocessed) {
      // this failure ends a sync at once, and the next sync begins after the pause for errors
      events.warning(pod, PodEvents.FAILED_MOUNT, failed.unprocessed());
      attempts.notBefore(calls.retryAt());
    }
    boolean over = attempts.givenUp(now);
    if (over && !unprocessed) {
      events.warning(
          pod,
          PodEvents.FAILED_MOUNT,
          ("Unable to attach or mount volumes: unmounted volumes=[%s], unattached volumes=[],"
                  + " failed to process volumes=[]: context deadline exceeded")
              .formatted(String.join(" ", failed.volumes())));
    }
    if (over || unprocessed) {
      attempts.beginAnew(calls.retryAt());
    }
    return attempts;
  }
}
