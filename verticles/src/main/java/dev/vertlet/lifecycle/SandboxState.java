package dev.vertlet.lifecycle;

import dev.vertlet.provider.SandboxRecord;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of one pod, and what its making waits for. Changed by its {@link PodState} alone.
 * Times are epoch milliseconds.
 */
final class SandboxState {
  private @Nullable SandboxRecord record;
  private int attempt;
  private boolean inFlight;
  private long retryAt;
  private boolean awaitsVolumes;
  private @Nullable MountAttempts mounting;
  private long networkRetryAt;

  /** Null while there is none. */
  @Nullable SandboxRecord record() {
    return record;
  }

  boolean exists() {
    return record != null;
  }

  /** Number of the sandbox there is, or of the next one. */
  int attempt() {
    return attempt;
  }

  /** The runtime is asked to make it, and has not answered. */
  boolean inFlight() {
    return inFlight;
  }

  /** None is made before this time, after one was not, or while volumes are awaited. */
  long retryAt() {
    return retryAt;
  }

  /** Not looked at again before, while the node has no network for the pod. */
  long networkRetryAt() {
    return networkRetryAt;
  }

  /** Null while the pod's volumes were not found to be impossible to mount. */
  @Nullable MountAttempts mounting() {
    return mounting;
  }

  void networkAwaited(long until) {
    networkRetryAt = until;
  }

  void volumesMounted() {
    awaitsVolumes = false;
    mounting = null;
  }

  /** What volumes are made of is being read. */
  void volumesAwaited(long until) {
    awaitsVolumes = true;
    retryAt = until;
  }

  void volumesFailed(MountAttempts attempts) {
    awaitsVolumes = true;
    mounting = attempts;
    retryAt = attempts.due();
  }

  /**
   * Volumes may be there now.
   *
   * @return whether they were waited for; they are looked at again at once then
   */
  boolean hurryVolumes() {
    if (awaitsVolumes) {
      retryAt = 0;
    }
    return awaitsVolumes;
  }

  void requested() {
    inFlight = true;
  }

  void made(SandboxRecord made) {
    inFlight = false;
    record = made;
  }

  /** The runtime will never make it. */
  void refused() {
    inFlight = false;
  }

  void failed(long tryAgainAt) {
    inFlight = false;
    retryAt = tryAgainAt;
  }

  /** An agent before this one has made it. */
  void restored(SandboxRecord found) {
    record = found;
    attempt = found.attempt();
  }

  /** It died with everything in it. */
  void lost() {
    record = null;
    attempt++;
  }

  /** It was removed. */
  void removed() {
    record = null;
  }
}
