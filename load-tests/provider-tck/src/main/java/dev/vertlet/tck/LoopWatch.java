package dev.vertlet.tck;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * Measures how long a call holds its thread: by the processor time that it takes, and by how long
 * it waits without taking any. The clock would count a busy machine and the loading of classes as
 * well. {@link #begin} and {@link #end} belong to the thread that is watched.
 */
final class LoopWatch implements AutoCloseable {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long PERIOD_MILLIS = 10;

  private final Thread sampler = new Thread(this::sample, "tck-watch");

  /** Id of the thread in a call; 0 between calls. */
  private long watched;

  private long cpuAtBegin;
  private long cpu;
  private int idle;
  private int longestIdle;

  LoopWatch() {
    sampler.setDaemon(true);
    sampler.start();
  }

  private void sample() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        look();
      }
    } catch (InterruptedException closed) {
      // by close
    }
  }

  private synchronized void look() {
    if (watched == 0) {
      return;
    }
    long before = cpu;
    cpu = THREADS.getThreadCpuTime(watched);
    idle = cpu == before ? idle + 1 : 0;
    longestIdle = Math.max(longestIdle, idle);
  }

  /** A call begins. */
  synchronized void begin() {
    watched = Thread.currentThread().getId();
    cpuAtBegin = THREADS.getCurrentThreadCpuTime();
    cpu = cpuAtBegin;
    idle = 0;
    longestIdle = 0;
  }

  /** A call has returned: the longer one of its processor time and its longest wait. */
  synchronized Duration end() {
    watched = 0;
    Duration computed = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - cpuAtBegin);
    Duration waited = Duration.ofMillis(longestIdle * PERIOD_MILLIS);
    return computed.compareTo(waited) > 0 ? computed : waited;
  }

  @Override
  public void close() {
    sampler.interrupt();
  }
}
