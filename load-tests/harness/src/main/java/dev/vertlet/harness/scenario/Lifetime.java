package dev.vertlet.harness.scenario;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Time from a pod's Ready to its deletion. */
public sealed interface Lifetime {
  /** Draws the lifetime of one pod. */
  Duration draw(RandomGenerator random);

  /** The same lifetime for all pods. */
  record Fixed(Duration duration) implements Lifetime {
    @Override
    public Duration draw(RandomGenerator random) {
      return duration;
    }
  }

  /** Exponential lifetimes, like those of phone calls: most are short, some are long. */
  record Exponential(Duration mean) implements Lifetime {
    @Override
    public Duration draw(RandomGenerator random) {
      return Duration.ofNanos((long) (mean.toNanos() * random.nextExponential()));
    }
  }

  /** Uniform distribution between two lifetimes. */
  record Uniform(Duration min, Duration max) implements Lifetime {
    @Override
    public Duration draw(RandomGenerator random) {
      long span = max.minus(min).toNanos();
      return min.plusNanos((long) (span * random.nextDouble()));
    }
  }
}
