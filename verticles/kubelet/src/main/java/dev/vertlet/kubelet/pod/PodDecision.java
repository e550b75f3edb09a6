package dev.vertlet.kubelet.pod;

import java.util.ArrayList;
import java.util.List;

/**
 * What to do next for one pod.
 *
 * @param actions to perform now, in this order
 * @param wakeAt when to decide again if nothing happens before, epoch milliseconds; {@link
 *     Long#MAX_VALUE} for never
 */
public record PodDecision(List<PodAction> actions, long wakeAt) {
  private static final PodDecision NOTHING = new PodDecision(List.of(), Long.MAX_VALUE);

  /** Whether nothing is to be done, now or after any time. */
  public boolean isNothing() {
    return actions.isEmpty() && wakeAt == Long.MAX_VALUE;
  }

  /** A decision in the making. */
  public static final class Draft {
    public final long now;
    private List<PodAction> actions = List.of();
    private long wakeAt = Long.MAX_VALUE;

    public Draft(long now) {
      this.now = now;
    }

    public void add(PodAction action) {
      if (actions.isEmpty()) {
        actions = new ArrayList<>(2);
      }
      actions.add(action);
    }

    public void wake(long at) {
      wakeAt = Math.min(wakeAt, at);
    }

    public boolean idle() {
      return actions.isEmpty();
    }

    public PodDecision decision() {
      return actions.isEmpty() && wakeAt == Long.MAX_VALUE
          ? NOTHING
          : new PodDecision(actions, wakeAt);
    }
  }
}
