package dev.vertlet.model;

/**
 * One taint of a node. Two taints are the same taint when key and effect are equal.
 *
 * @param value empty for none
 * @param effect NoSchedule, PreferNoSchedule or NoExecute
 */
public record TaintView(String key, String value, String effect) {
  /** Whether {@code other} is the same taint, perhaps with another value. */
  public boolean sameAs(TaintView other) {
    return key.equals(other.key) && effect.equals(other.effect);
  }
}
