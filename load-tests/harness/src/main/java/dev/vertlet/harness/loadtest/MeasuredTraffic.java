package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.result.Traffic;
import dev.vertlet.harness.scenario.Phase;
import java.util.function.Supplier;

/** Sums the subject's traffic over the phases that are no warm-up. For use by one thread. */
final class MeasuredTraffic {
  private final Supplier<Traffic> untilNow;
  private Traffic before = Traffic.NONE;
  private Traffic sum = Traffic.NONE;

  /**
   * @param untilNow supplies the total traffic since a fixed time
   */
  MeasuredTraffic(Supplier<Traffic> untilNow) {
    this.untilNow = untilNow;
  }

  void begins(Phase phase) {
    if (!phase.warmUp()) {
      before = untilNow.get();
    }
  }

  void ended(Phase phase) {
    if (!phase.warmUp()) {
      sum = sum.plus(untilNow.get().since(before));
    }
  }

  /** Traffic of all finished phases that are no warm-up. */
  Traffic sum() {
    return sum;
  }
}
