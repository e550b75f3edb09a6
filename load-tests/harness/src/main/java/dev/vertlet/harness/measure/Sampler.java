package dev.vertlet.harness.measure;

import dev.vertlet.harness.result.Resources.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a subject every second, on a thread of its own. The samples are taken there and read by
 * whoever reports, hence the monitor.
 */
public final class Sampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Supplier<ProcessUsage> subject;
  private final LongSupplier nanoTime;
  private final long start;
  private final List<Sample> samples = new ArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sampler");
            thread.setDaemon(true);
            return thread;
          });

  Sampler(Supplier<ProcessUsage> subject, LongSupplier nanoTime) {
    this.subject = subject;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Begins now; the samples' time counts from here. */
  public static Sampler start(Supplier<ProcessUsage> subject) {
    Sampler sampler = new Sampler(subject, System::nanoTime);
    sampler.timer.scheduleAtFixedRate(sampler::trySample, 0, 1, TimeUnit.SECONDS);
    return sampler;
  }

  /** A look that fails says nothing about those to come, which an executor would drop. */
  private void trySample() {
    try {
      sample();
    } catch (RuntimeException e) {
      LOG.warn("cannot look at the subject: {}", e.toString());
    }
  }

  /** Takes one sample now; returns what it is made of. */
  public ProcessUsage sample() {
    ProcessUsage usage = subject.get();
    double seconds = (nanoTime.getAsLong() - start) / NANOS_PER_SECOND;
    synchronized (this) {
      samples.add(new Sample(seconds, usage.cpuMillis(), usage.residentMiB()));
    }
    return usage;
  }

  /** All until now. */
  public synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
