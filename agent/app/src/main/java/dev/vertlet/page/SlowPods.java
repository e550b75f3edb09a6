package dev.vertlet.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The slowest pods of the last ten minutes, at most twenty. Uses no clock. */
final class SlowPods {
  static final int MOST = 20;
  static final long KEPT_MILLIS = 600_000;

  private final List<SlowPod> slowest = new ArrayList<>();

  void add(SlowPod pod, long now) {
    if (slowest.size() == MOST && pod.took() <= slowest.get(MOST - 1).took()) {
      return;
    }
    expire(now);
    slowest.add(pod);
    slowest.sort(Comparator.comparingLong(SlowPod::took).reversed());
    if (slowest.size() > MOST) {
      slowest.remove(MOST);
    }
  }

  /** Returns the pods, slowest first. */
  List<SlowPod> list(long now) {
    expire(now);
    return List.copyOf(slowest);
  }

  private void expire(long now) {
    slowest.removeIf(pod -> now - pod.ended() > KEPT_MILLIS);
  }
}
