package dev.vertlet.model.node;

import org.jspecify.annotations.Nullable;

/**
 * One taint of a node. Two taints are the same taint if key and effect are equal.
 *
 * @param value empty for none
 * @param effect NoSchedule, PreferNoSchedule or NoExecute
 * @param timeAdded set by a controller, as written; null otherwise
 */
public record TaintView(String key, String value, String effect, @Nullable String timeAdded) {
  public TaintView(String key, String value, String effect) {
    this(key, value, effect, null);
  }

  /** Whether {@code other} is the same taint, with any value. */
  public boolean sameAs(TaintView other) {
    return key.equals(other.key) && effect.equals(other.effect);
  }
}
