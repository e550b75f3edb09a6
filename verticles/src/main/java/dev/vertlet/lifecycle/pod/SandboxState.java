package dev.vertlet.lifecycle.pod;

import dev.vertlet.provider.SandboxRecord;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of one pod, and what its creation waits for. Changed only by its {@link PodState} and
 * the pod worker. Times are epoch milliseconds.
 */
public final class SandboxState {
  private @Nullable SandboxRecord record;
  private int attempt;
  private boolean inFlight;
  private long retryAt;
  private boolean awaitsVolumes;
  private @Nullable MountAttempts mounting;
  private long networkRetryAt;

  /** Null while the pod has no sandbox. */
  public @Nullable SandboxRecord record() {
    return record;
  }

  public boolean exists() {
    return record != null;
  }

  /** Number of the current sandbox, or of the next one. */
  public int attempt() {
    return attempt;
  }

  /** Whether the runtime has not answered runSandbox yet. */
  public boolean inFlight() {
    return inFlight;
  }

  /** Time of the next creation, after a failed one or while volumes are awaited. */
  public long retryAt() {
    return retryAt;
  }

  /** Time of the next check, while the node has no network for the pod. */
  public long networkRetryAt() {
    return networkRetryAt;
  }

  /** Null unless the pod's volumes were found impossible to mount. */
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

  /** Notes that the volumes' references are being read. */
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
   * Retries volumes at once that may be there now.
   *
   * @return whether they were awaited
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

  /** Notes that the runtime will never make the sandbox. */
  public void refused() {
    inFlight = false;
  }

  public void failed(long tryAgainAt) {
    inFlight = false;
    retryAt = tryAgainAt;
  }

  /** Takes the sandbox that an earlier agent made. */
  public void restored(SandboxRecord found) {
    record = found;
    attempt = found.attempt();
  }

  /** Notes that the sandbox died with everything in it. */
  void lost() {
    record = null;
    attempt++;
  }

  /** Notes that the sandbox was removed. */
  void removed() {
    record = null;
  }
}
