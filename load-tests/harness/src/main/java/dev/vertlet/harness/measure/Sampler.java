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
 * Samples a subject's usage every second on a separate thread. That thread takes the samples and
 * the reporting thread reads them, hence the monitor.
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

  /** Starts sampling; the samples' times count from now. */
  public static Sampler start(Supplier<ProcessUsage> subject) {
    Sampler sampler = new Sampler(subject, System::nanoTime);
    sampler.timer.scheduleAtFixedRate(sampler::trySample, 0, 1, TimeUnit.SECONDS);
    return sampler;
  }

  /** Takes a sample and logs a failure: an executor would cancel all later samples. */
  private void trySample() {
    try {
      sample();
    } catch (RuntimeException e) {
      LOG.warn("cannot look at the subject: {}", e.toString());
    }
  }

  /** Takes one sample now; returns the usage. */
  public ProcessUsage sample() {
    ProcessUsage usage = subject.get();
    double seconds = (nanoTime.getAsLong() - start) / NANOS_PER_SECOND;
    synchronized (this) {
      samples.add(new Sample(seconds, usage.cpuMillis(), usage.residentMiB()));
    }
    return usage;
  }

  /** All samples so far. */
  public synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
