package dev.vertlet.kubelet.pod;

import dev.vertlet.provider.container.SandboxRecord;
import org.jspecify.annotations.Nullable;

/**
 * State of one pod's sandbox; immutable. Its methods are the legal transitions, and all others
 * return the state itself. Times are epoch milliseconds.
 *
 * <pre>
 *   Absent --requested--> Creating --made--> Present --lost--> Absent, with the next attempt
 *                         Creating --failed | refused--> Absent
 * </pre>
 */
public sealed interface Sandbox {
  /** A new pod has no sandbox; shared by all pods. */
  Sandbox NONE = new Absent(0, 0, false, null);

  /** Number of the current sandbox, or of the next one. */
  int attempt();

  /** Null while the pod has no sandbox. */
  default @Nullable SandboxRecord record() {
    return null;
  }

  default boolean exists() {
    return record() != null;
  }

  /** Whether the runtime has not answered runSandbox yet. */
  default boolean inFlight() {
    return false;
  }

  /** Time of the next creation, after a failed one or while volumes are awaited. */
  default long retryAt() {
    return 0;
  }

  /** Whether the creation waits for the pod's volumes. */
  default boolean awaitsVolumes() {
    return false;
  }

  /** Null unless the pod's volumes were found impossible to mount. */
  default @Nullable MountAttempts mounting() {
    return null;
  }

  /** The volumes' references are being read. */
  default Sandbox volumesAwaited(long until) {
    return this;
  }

  /** The volumes cannot be mounted. */
  default Sandbox volumesFailed(MountAttempts attempts) {
    return this;
  }

  /** The runtime is asked for the sandbox; its volumes can be mounted. */
  default Sandbox requested() {
    return this;
  }

  /** The runtime has made the sandbox, or turns out to have it. */
  default Sandbox made(SandboxRecord made) {
    return new Present(made, attempt());
  }

  /** The creation has failed, and is tried again at this time. */
  default Sandbox failed(long tryAgainAt) {
    return this;
  }

  /** The sandbox died with everything in it. */
  default Sandbox lost() {
    return new Absent(attempt() + 1, 0, false, null);
  }

  /** The sandbox was removed. */
  default Sandbox removed() {
    return new Absent(attempt(), 0, false, null);
  }

  /** No sandbox, and no call for one. */
  record Absent(int attempt, long retryAt, boolean awaitsVolumes, @Nullable MountAttempts mounting)
      implements Sandbox {
    @Override
    public Sandbox volumesAwaited(long until) {
      return new Absent(attempt, until, true, mounting);
    }

    @Override
    public Sandbox volumesFailed(MountAttempts attempts) {
      return new Absent(attempt, attempts.due(), true, attempts);
    }

    @Override
    public Sandbox requested() {
      return new Creating(attempt);
    }
  }

  /** The runtime has not answered runSandbox yet. */
  record Creating(int attempt) implements Sandbox {
    @Override
    public boolean inFlight() {
      return true;
    }

    @Override
    public Sandbox failed(long tryAgainAt) {
      return new Absent(attempt, tryAgainAt, false, null);
    }
  }

  /** The runtime has the sandbox. */
  record Present(SandboxRecord record, int attempt) implements Sandbox {}
}
