package dev.vertlet.kubelet.pod;

import dev.vertlet.kubelet.container.ContainerSlot;

/**
 * What one pod adds to the counts of {@link CoreMeters}, packed into an int that is cheap to
 * compare: most turns change nothing in it.
 */
public final class PodMetricDelta {
  /** Counts of a pod without a sandbox. */
  public static final int NONE = 0;

  private static final int RUNNING = 1;
  private static final int EXITED = 16;

  /** Most containers that fit; an object of the API server holds fewer. */
  private static final int MOST = 0x7fff;

  private PodMetricDelta() {}

  static int of(PodState pod) {
    if (!pod.sandbox().exists() || pod.forgotten()) {
      return NONE;
    }
    return 1 + of(pod.init()) + of(pod.regular()) + of(pod.ephemeral());
  }

  private static int of(ContainerSlot[] slots) {
    int share = 0;
    for (ContainerSlot slot : slots) {
      if (slot.current() != null) {
        share += 1 << (slot.running() ? RUNNING : EXITED);
      }
    }
    return share;
  }

  /** Passes the difference to the meters. */
  public static void tell(CoreMeters meters, int before, int now) {
    if (before != now) {
      meters.changed(
          (now & 1) - (before & 1),
          (now >>> RUNNING & MOST) - (before >>> RUNNING & MOST),
          (now >>> EXITED & MOST) - (before >>> EXITED & MOST));
    }
  }
}
