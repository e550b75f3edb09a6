package dev.vertlet.harness.replay.life;

import static dev.vertlet.harness.replay.life.ContainerTimes.NEVER;

import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.ContainerRun;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodTimes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recorded life as what simulated containers are to do.
 *
 * <p>A pod that lived before the recording began starts at once, and has the rest of its life,
 * which counts from the start of the replay's clock.
 *
 * @param speed recorded time per real time
 */
record PodScript(PodLife life, double speed) {
  /** Wait before a container starts again, with the settings of a replay's agent. */
  static final long BACK_OFF_MILLIS = 1_000;

  private static final String OOM = "OOMKilled";
  private static final int MAX_EXIT_CODE = 255;

  /** Milliseconds that a container's image is pulled. */
  long pull(String container) {
    ContainerLife found = find(container);
    Long pull = found == null || initial() ? null : found.pullMillis();
    return pull == null ? 0 : real(Math.min(pull, startLatency()));
  }

  /**
   * How an attempt of a container goes.
   *
   * @param attempt from 0
   */
  ContainerTimes times(String container, int attempt) {
    ContainerLife found = find(container);
    if (found == null) {
      return ContainerTimes.PLAIN;
    }
    ContainerRun run = run(found, attempt);
    boolean oom = run != null && OOM.equals(run.reason());
    Integer code = run == null ? null : run.exitCode();
    return new ContainerTimes(
        sandbox(),
        start(found, attempt),
        ready(found),
        runs(found, run),
        code == null ? 0 : Math.max(0, Math.min(MAX_EXIT_CODE, code)),
        oom,
        stop());
  }

  private @Nullable ContainerLife find(String name) {
    for (ContainerLife container : life.containers()) {
      if (container.name().equals(name)) {
        return container;
      }
    }
    return null;
  }

  private boolean initial() {
    return over(life.times().started());
  }

  private static boolean over(@Nullable Long moment) {
    return moment != null && moment <= 0;
  }

  /**
   * Whether the pod runs when the recording begins and no container ends or becomes ready by itself
   * later. Other pods wait for the replay's clock: their times count from its start.
   */
  boolean steady() {
    return initial()
        && over(life.times().ready())
        && life.containers().stream()
            .filter(container -> !container.init())
            .allMatch(container -> runs(container, run(container, 0)) == NEVER);
  }

  private long startLatency() {
    PodTimes at = life.times();
    return at.started() == null || at.scheduled() == null
        ? 0
        : Math.max(0, at.started() - Math.max(0, Math.max(at.created(), at.scheduled())));
  }

  /** Time before the sandbox: what pulls, init containers and the last start leave. */
  private long sandbox() {
    PodTimes at = life.times();
    if (at.started() == null) {
      return at.scheduled() == null || at.ended() != null ? 0 : NEVER;
    }
    if (initial()) {
      return 0;
    }
    long known = 0;
    for (ContainerLife container : life.containers()) {
      known += container.pullMillis() == null ? 0 : container.pullMillis();
      known += container.init() ? initRun(container) : 0;
    }
    return real(Math.max(0, startLatency() - known));
  }

  /** How long an init container ran; 0 for a sidecar, which runs on. */
  private static long initRun(ContainerLife container) {
    if (container.runs().isEmpty()) {
      return 0;
    }
    ContainerRun last = container.runs().get(container.runs().size() - 1);
    return last.ended() == null ? 0 : Math.max(0, last.ended() - last.started());
  }

  /** Wait before a restart beyond the back-off. */
  private long start(ContainerLife container, int attempt) {
    ContainerRun before = attempt == 0 ? null : run(container, attempt - 1);
    ContainerRun now = run(container, attempt);
    if (before == null || now == null || before.ended() == null || before == now) {
      return 0;
    }
    return Math.max(0, real(Math.max(0, now.started() - before.ended())) - BACK_OFF_MILLIS);
  }

  private long ready(ContainerLife container) {
    PodTimes at = life.times();
    if (container.init() || at.started() == null) {
      return 0;
    }
    if (at.ready() == null) {
      return at.ended() == null && at.gone() == null ? NEVER : 0;
    }
    return real(Math.max(0, at.ready() - Math.max(0, at.started())));
  }

  /**
   * The run of an attempt. The first runs of a container that restarted often are not recorded, and
   * are taken to have been like the oldest one known. Of a pod that is older than the recording,
   * those that had ended by then are not played again.
   *
   * @return null if the container went on as it was last seen
   */
  private @Nullable ContainerRun run(ContainerLife container, int attempt) {
    List<ContainerRun> runs = container.runs();
    if (runs.isEmpty()) {
      return null;
    }
    if (initial()) {
      int ended = (int) runs.stream().filter(run -> over(run.ended())).count();
      int at = Math.min(ended, runs.size() - 1) + attempt;
      return at < runs.size() ? runs.get(at) : null;
    }
    int missing = Math.max(0, container.restarts() + 1 - runs.size());
    int index = Math.max(0, attempt - missing);
    return index < runs.size() ? runs.get(index) : null;
  }

  private long runs(ContainerLife container, @Nullable ContainerRun run) {
    if (run == null || run.ended() == null) {
      return NEVER;
    }
    Long deleting = life.times().deleting();
    boolean stopped = deleting != null && run.ended() >= deleting && !container.init();
    if (stopped) {
      return NEVER;
    }
    return real(Math.max(0, run.ended() - Math.max(0, run.started())));
  }

  private long stop() {
    PodTimes at = life.times();
    return at.deleting() == null || at.gone() == null || at.ended() != null
        ? 0
        : real(Math.max(0, at.gone() - at.deleting()));
  }

  private long real(long recorded) {
    return Math.round(recorded / speed);
  }
}
