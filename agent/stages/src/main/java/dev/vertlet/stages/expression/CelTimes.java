package dev.vertlet.stages.expression;

import com.google.protobuf.Duration;

/** Durations of CEL. */
final class CelTimes {
  private CelTimes() {}

  static long nanos(Duration duration) {
    return Math.addExact(
        Math.multiplyExact(duration.getSeconds(), 1_000_000_000L), duration.getNanos());
  }
}
