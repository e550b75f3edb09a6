package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.ContainerRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of one container of a living pod. */
final class ContainerState {
  /** Start times of a run that was read from a trace and of the same one's status. */
  private static final long NEAR_MILLIS = 2000;

  final String name;
  final boolean init;
  private final List<Run> runs = new ArrayList<>(1);
  private int restarts;
  private @Nullable Long pullMillis;

  /** One run; {@code key} is the API server's start time, null for one that was restored. */
  private static final class Run {
    private @Nullable String key;
    private final long started;
    private @Nullable Long ended;
    private @Nullable Integer exitCode;
    private @Nullable String reason;

    private Run(@Nullable String key, long started) {
      this.key = key;
      this.started = started;
    }
  }

  ContainerState(String name, boolean init) {
    this.name = name;
    this.init = init;
  }

  static ContainerState restored(ContainerLife life) {
    ContainerState state = new ContainerState(life.name(), life.init());
    state.restarts = life.restarts();
    state.pullMillis = life.pullMillis();
    for (ContainerRun run : life.runs()) {
      Run one = new Run(null, run.started());
      one.ended = run.ended();
      one.exitCode = run.exitCode();
      one.reason = run.reason();
      state.runs.add(one);
    }
    return state;
  }

  /** Takes over what a container status says; returns whether that was new. */
  boolean observed(JsonNode status, Timeline time) {
    int count = status.path("restartCount").asInt();
    boolean changed = count != restarts;
    restarts = count;
    changed |= ended(status.path("lastState").path("terminated"), time);
    changed |= ended(status.path("state").path("terminated"), time);
    JsonNode running = status.path("state").path("running").path("startedAt");
    return running.isTextual() ? run(running.asText(), time).fresh | changed : changed;
  }

  /** A run, and whether it was not known before. */
  private record Found(Run run, boolean fresh) {}

  private boolean ended(JsonNode terminated, Timeline time) {
    JsonNode started = terminated.path("startedAt");
    if (!started.isTextual() || Stamps.of(started) == null) {
      // a container that could not be started has ended without a run
      return false;
    }
    Found found = run(started.asText(), time);
    if (found.run.ended != null) {
      return false;
    }
    found.run.ended =
        Math.max(found.run.started, time.better(Stamps.of(terminated.path("finishedAt"))));
    found.run.exitCode = terminated.path("exitCode").asInt();
    String reason = terminated.path("reason").asText();
    found.run.reason = reason.isEmpty() || reason.equals("Completed") ? null : reason;
    return true;
  }

  private Found run(String startedAt, Timeline time) {
    Instant stamp = Stamps.parse(startedAt);
    for (Run run : runs) {
      if (startedAt.equals(run.key)) {
        return new Found(run, false);
      }
      if (run.key == null
          && stamp != null
          && Math.abs(run.started - time.of(stamp)) <= NEAR_MILLIS) {
        run.key = startedAt;
        return new Found(run, false);
      }
    }
    Run run = new Run(startedAt, time.better(stamp));
    runs.add(run);
    if (runs.size() > ContainerLife.MAX_RUNS) {
      runs.remove(0);
    }
    return new Found(run, true);
  }

  /** Keeps the first time that an image was pulled; returns whether this is it. */
  boolean pulled(long millis) {
    boolean first = pullMillis == null;
    if (first) {
      pullMillis = millis;
    }
    return first;
  }

  /** Returns the start of the first run; null before it. */
  @Nullable Long firstStart() {
    return runs.isEmpty() ? null : runs.get(0).started;
  }

  /** Returns the end of the last run; null while there is none. */
  @Nullable Long lastEnd() {
    return runs.isEmpty() ? null : runs.get(runs.size() - 1).ended;
  }

  ContainerLife life() {
    List<ContainerRun> copies =
        runs.stream()
            .map(run -> new ContainerRun(run.started, run.ended, run.exitCode, run.reason))
            .toList();
    return new ContainerLife(name, init, restarts, copies, pullMillis);
  }
}
