package dev.vertlet.lifecycle.pod;

import dev.vertlet.provider.SandboxRecord;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of one pod, and what its making waits for. Changed by its {@link PodState} alone.
 * Times are epoch milliseconds.
 */
public final class SandboxState {
  private @Nullable SandboxRecord record;
  private int attempt;
  private boolean inFlight;
  private long retryAt;
  private boolean awaitsVolumes;
  private @Nullable MountAttempts mounting;
  private long networkRetryAt;

  /** Null while there is none. */
  public @Nullable SandboxRecord record() {
    return record;
  }

  public boolean exists() {
    return record != null;
  }

  /** Number of the sandbox there is, or of the next one. */
  public int attempt() {
    return attempt;
  }

  /** The runtime is asked to make it, and has not answered. */
  public boolean inFlight() {
    return inFlight;
  }

  /** None is made before this time, after one was not, or while volumes are awaited. */
  public long retryAt() {
    return retryAt;
  }

  /** Not looked at again before, while the node has no network for the pod. */
  public long networkRetryAt() {
    return networkRetryAt;
  }

  /** Null while the pod's volumes were not found to be impossible to mount. */
  public @Nullable MountAttempts mounting() {
    return mounting;
  }

  public void networkAwaited(long until) {
    networkRetryAt = until;
  }

  public void volumesMounted() {
    awaitsVolumes = false;
    mounting = null;
  }

  /** What volumes are made of is being read. */
  public void volumesAwaited(long until) {
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
  public boolean hurryVolumes() {
    if (awaitsVolumes) {
      retryAt = 0;
    }
    return awaitsVolumes;
  }

  public void requested() {
    inFlight = true;
  }

  void made(SandboxRecord made) {
    inFlight = false;
    record = made;
  }

  /** The runtime will never make it. */
  public void refused() {
    inFlight = false;
  }

  public void failed(long tryAgainAt) {
    inFlight = false;
    retryAt = tryAgainAt;
  }

  /** An agent before this one has made it. */
  public void restored(SandboxRecord found) {
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
