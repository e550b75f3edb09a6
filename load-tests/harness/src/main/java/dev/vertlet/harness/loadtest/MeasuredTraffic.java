package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.result.Traffic;
import dev.vertlet.harness.scenario.Phase;
import java.util.function.Supplier;

/** What the subject exchanges while phases run that are no warm-up. For one thread. */
final class MeasuredTraffic {
  private final Supplier<Traffic> untilNow;
  private Traffic before = Traffic.NONE;
  private Traffic sum = Traffic.NONE;

  /**
   * @param untilNow everything that has passed since some time before
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

  /** Of all such phases that have ended. */
  Traffic sum() {
    return sum;
  }
}
