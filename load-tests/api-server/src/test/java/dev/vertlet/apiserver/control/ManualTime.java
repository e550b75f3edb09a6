package dev.vertlet.apiserver.control;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** Turns and a clock that go on only when a test says so. */
public final class ManualTime extends Clock implements Turns {
  private record Timer(Instant at, long sequence, Runnable task) {}

  private final Queue<Runnable> ready = new ArrayDeque<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.<Timer, Instant>comparing(Timer::at).thenComparing(Timer::sequence));
  private Instant now = Instant.parse("2026-01-02T03:04:05Z");
  private long sequence;
  private long turns;

  @Override
  public void soon(Runnable task) {
    ready.add(task);
  }

  @Override
  public void later(Duration delay, Runnable task) {
    timers.add(new Timer(now.plus(delay), sequence++, task));
  }

  /** Runs what is ready now. */
  public void settle() {
    while (!ready.isEmpty()) {
      turns++;
      ready.remove().run();
    }
  }

  /** Lets time pass and runs all that becomes due on the way. */
  public void advance(Duration by) {
    settle();
    Instant end = now.plus(by);
    while (!timers.isEmpty() && !timers.element().at().isAfter(end)) {
      Timer timer = timers.remove();
      now = timer.at();
      timer.task().run();
      settle();
    }
    now = end;
  }

  /** How many turns were taken. */
  public long turns() {
    return turns;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
