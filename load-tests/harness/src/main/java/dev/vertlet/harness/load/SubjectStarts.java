package dev.vertlet.harness.load;

import dev.vertlet.harness.result.RunResult.Restart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How long a subject that was started again takes until it has renewed every lease that there was:
 * what can be seen from outside of its serving all nodes again. Pure, as {@link LeaseGaps}. Not
 * thread-safe.
 */
final class SubjectStarts {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Restart> restarts = new ArrayList<>();
  private final Set<String> missing = new HashSet<>();
  private Supplier<OptionalLong> patches = OptionalLong::empty;
  private OptionalLong patchesBefore = OptionalLong.empty();
  private long began;

  /**
   * It is about to be started.
   *
   * @param seconds the time, as results have it
   * @param nanos the same of a monotonic clock
   * @param leases all that it has to renew
   * @param statusPatches how many it has sent in all; empty where nobody counts
   */
  void started(
      double seconds, long nanos, Set<String> leases, Supplier<OptionalLong> statusPatches) {
    began = nanos;
    missing.clear();
    missing.addAll(leases);
    patches = statusPatches;
    patchesBefore = statusPatches.get();
    restarts.add(new Restart(seconds, Double.NaN, OptionalLong.empty()));
  }

  void renewed(String lease, long nanos) {
    if (missing.remove(lease) && missing.isEmpty()) {
      int last = restarts.size() - 1;
      OptionalLong now = patches.get();
      restarts.set(
          last,
          new Restart(
              restarts.get(last).seconds(),
              (nanos - began) / NANOS_PER_SECOND,
              now.isPresent() && patchesBefore.isPresent()
                  ? OptionalLong.of(now.getAsLong() - patchesBefore.getAsLong())
                  : OptionalLong.empty()));
    }
  }

  /** All, in their order. */
  List<Restart> restarts() {
    return List.copyOf(restarts);
  }
}
