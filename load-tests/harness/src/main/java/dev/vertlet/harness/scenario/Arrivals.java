package dev.vertlet.harness.scenario;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Due times of requests. */
public final class Arrivals {
  private static final double NANOS_PER_SECOND = 1e9;

  private Arrivals() {}

  /**
   * Due times in nanoseconds after the start, in ascending order. The sequence is endless except
   * for a trace; the times of a burst are all 0.
   *
   * @param random generator of a Poisson process
   */
  public static PrimitiveIterator.OfLong due(Arrival arrival, RandomGenerator random) {
    if (arrival instanceof Arrival.Constant constant) {
      return endless(new Steps(List.of(new Arrival.Step(constant.perSecond(), Duration.ZERO))));
    }
    if (arrival instanceof Arrival.Poisson poisson) {
      return endless(new Poisson(poisson.perSecond(), random));
    }
    if (arrival instanceof Arrival.Steps steps) {
      return endless(new Steps(steps.steps()));
    }
    if (arrival instanceof Arrival.Trace trace) {
      return trace.due().stream().mapToLong(Duration::toNanos).iterator();
    }
    return endless(() -> 0);
  }

  /**
   * Number of requests due before a time; the mean number for a Poisson process.
   *
   * @param arrival any but a burst, which has no times
   */
  public static long before(Duration end, Arrival arrival) {
    if (arrival instanceof Arrival.Poisson poisson) {
      return Math.round(poisson.perSecond() * end.toNanos() / NANOS_PER_SECOND);
    }
    if (arrival instanceof Arrival.Burst) {
      throw new IllegalArgumentException("a burst has no times");
    }
    if (arrival instanceof Arrival.Constant constant) {
      return within(constant.perSecond(), end);
    }
    if (arrival instanceof Arrival.Trace trace) {
      return trace.due().stream().filter(due -> due.compareTo(end) < 0).count();
    }
    return steps(((Arrival.Steps) arrival).steps(), end);
  }

  private static long steps(List<Arrival.Step> steps, Duration end) {
    long count = 0;
    Duration left = end;
    for (Iterator<Arrival.Step> all = steps.iterator(); all.hasNext() && !left.isZero(); ) {
      Arrival.Step step = all.next();
      boolean shorter = all.hasNext() && step.lasting().compareTo(left) < 0;
      Duration lasting = shorter ? step.lasting() : left;
      count += within(step.perSecond(), lasting);
      left = left.minus(lasting);
    }
    return count;
  }

  /** Number of times 0, 1/rate, 2/rate … before the end. */
  private static long within(double perSecond, Duration end) {
    return (long) Math.ceil(perSecond * end.toNanos() / NANOS_PER_SECOND);
  }

  private static PrimitiveIterator.OfLong endless(LongSupplier times) {
    return new PrimitiveIterator.OfLong() {
      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public long nextLong() {
        return times.getAsLong();
      }
    };
  }

  /** Exponential intervals. */
  private static final class Poisson implements LongSupplier {
    private final double perSecond;
    private final RandomGenerator random;
    private double seconds;

    Poisson(double perSecond, RandomGenerator random) {
      this.perSecond = perSecond;
      this.random = random;
    }

    @Override
    public long getAsLong() {
      seconds += random.nextExponential() / perSecond;
      return (long) (seconds * NANOS_PER_SECOND);
    }
  }

  /** Counts within each step, so that rounding errors do not add up. */
  private static final class Steps implements LongSupplier {
    private final List<Arrival.Step> steps;
    private int step;
    private long stepBegan;
    private long index;

    Steps(List<Arrival.Step> steps) {
      this.steps = steps;
    }

    @Override
    public long getAsLong() {
      long after = next();
      while (step < steps.size() - 1 && after >= steps.get(step).lasting().toNanos()) {
        stepBegan += steps.get(step).lasting().toNanos();
        step++;
        index = 0;
        after = next();
      }
      index++;
      return stepBegan + after;
    }

    private long next() {
      return (long) (index * NANOS_PER_SECOND / steps.get(step).perSecond());
    }
  }
}
