package dev.vertlet.loop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** A loop and a clock that move only when a test says so. */
public final class FakeLoop extends Clock implements CoreLoop {
  private record Timer(long id, long at, Runnable task) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::id));
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private long millis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private long ids;
  private int addresses;

  /** Unique, also across runtimes that come and go. */
  public long nextId() {
    return ++ids;
  }

  public int nextAddress() {
    return ++addresses;
  }

  @Override
  public void run(Runnable task) {
    task.run();
  }

  @Override
  public void later(Runnable task) {
    tasks.add(task);
  }

  @Override
  public long setTimer(long delayMillis, Runnable task) {
    timers.add(new Timer(++ids, millis + delayMillis, task));
    return ids;
  }

  @Override
  public void cancelTimer(long id) {
    timers.removeIf(timer -> timer.id() == id);
  }

  public int timers() {
    return timers.size();
  }

  /** Runs what waits, without moving time. */
  public void settle() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  public void advance(Duration by) {
    long target = millis + by.toMillis();
    settle();
    while (!timers.isEmpty() && timers.peek().at() <= target) {
      Timer timer = timers.remove();
      millis = Math.max(millis, timer.at());
      timer.task().run();
      settle();
    }
    millis = target;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  @Override
  public long millis() {
    return millis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }
}
