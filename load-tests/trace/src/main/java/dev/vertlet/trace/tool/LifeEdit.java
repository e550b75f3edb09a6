package dev.vertlet.trace.tool;

import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.ContainerRun;
import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodOutcome;
import dev.vertlet.trace.PodTimes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changed copies of pods' lives. */
final class LifeEdit {
  private LifeEdit() {}

  /** Returns the life of another pod that lives alike. */
  static PodLife as(PodLife life, PodIdentity identity, @Nullable String node) {
    return new PodLife(
        identity,
        node,
        life.times(),
        life.outcome(),
        life.containers(),
        life.demand(),
        life.usage());
  }

  /**
   * Returns the life as it would have been recorded from {@code from} to {@code to}: offsets count
   * from {@code from}, and nothing later than {@code to} has happened yet.
   */
  static PodLife between(PodLife life, long from, long to) {
    PodTimes old = life.times();
    PodTimes times =
        new PodTimes(
            old.created() - from,
            shifted(old.scheduled(), from, to),
            shifted(old.started(), from, to),
            shifted(old.ready(), from, to),
            shifted(old.ended(), from, to),
            shifted(old.deleting(), from, to),
            shifted(old.gone(), from, to));
    List<ContainerLife> containers =
        life.containers().stream()
            .map(
                container ->
                    new ContainerLife(
                        container.name(),
                        container.init(),
                        container.restarts(),
                        container.runs().stream()
                            .filter(run -> run.started() <= to)
                            .map(run -> between(run, from, to))
                            .toList(),
                        container.pullMillis()))
            .toList();
    return new PodLife(
        life.identity(),
        times.scheduled() == null ? null : life.node(),
        times,
        outcome(life.outcome(), old, times),
        containers,
        life.demand(),
        life.usage());
  }

  /** An end that lies beyond the cut has not happened. */
  private static PodOutcome outcome(PodOutcome old, PodTimes before, PodTimes after) {
    if (before.ended() != null && after.ended() == null) {
      return new PodOutcome(after.started() == null ? "Pending" : "Running", null);
    }
    boolean notStarted = before.started() != null && after.started() == null;
    return notStarted ? new PodOutcome("Pending", null) : old;
  }

  private static ContainerRun between(ContainerRun run, long from, long to) {
    Long end = run.ended();
    return end == null || end > to
        ? new ContainerRun(run.started() - from, null, null, null)
        : new ContainerRun(run.started() - from, end - from, run.exitCode(), run.reason());
  }

  private static @Nullable Long shifted(@Nullable Long offset, long from, long to) {
    return offset == null || offset > to ? null : (Long) (offset - from);
  }

  /** Returns the offset at which the last thing of a life happened, at least 0. */
  static long last(PodLife life) {
    PodTimes times = life.times();
    long last = Math.max(0, times.created());
    for (Long time :
        new Long[] {
          times.scheduled(), times.started(), times.ready(), times.ended(), times.gone()
        }) {
      last = time == null ? last : Math.max(last, time);
    }
    return last;
  }
}
