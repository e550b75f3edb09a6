package dev.vertlet.harness.load;

import dev.vertlet.harness.result.RunResult.Restart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Measures the time from a restart of the subject until it has renewed every existing lease: seen
 * from outside, it then serves all nodes again. Pure, like {@link LeaseGaps}. Not thread-safe.
 */
final class SubjectStarts {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Restart> restarts = new ArrayList<>();
  private final Set<String> missing = new HashSet<>();
  private Supplier<OptionalLong> patches = OptionalLong::empty;
  private OptionalLong patchesBefore = OptionalLong.empty();
  private long began;

  /**
   * Records that the subject is about to be started.
   *
   * @param seconds time of the start, as in results
   * @param nanos the same time on a monotonic clock
   * @param leases leases that the subject has to renew
   * @param statusPatches total number of status patches the subject has sent; empty if not counted
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

  /** All restarts, in order. */
  List<Restart> restarts() {
    return List.copyOf(restarts);
  }
}
