package dev.vertlet.harness.scenario;

import java.time.Duration;

/** How long a pod stays after it became Ready. */
public sealed interface Lifetime {
  /** All the same. */
  record Fixed(Duration duration) implements Lifetime {}

  /** As long as calls last: most are short, some are long. */
  record Exponential(Duration mean) implements Lifetime {}

  /** Anything between the two, each as likely. */
  record Uniform(Duration min, Duration max) implements Lifetime {}
}
