package dev.vertlet.model;

import org.jspecify.annotations.Nullable;

/**
 * One taint of a node. Two taints are the same taint when key and effect are equal.
 *
 * @param value empty for none
 * @param effect NoSchedule, PreferNoSchedule or NoExecute
 * @param timeAdded when a controller put it there, as it wrote it; null where nobody did
 */
public record TaintView(String key, String value, String effect, @Nullable String timeAdded) {
  public TaintView(String key, String value, String effect) {
    this(key, value, effect, null);
  }

  /** Whether {@code other} is the same taint, perhaps with another value. */
  public boolean sameAs(TaintView other) {
    return key.equals(other.key) && effect.equals(other.effect);
  }
}
