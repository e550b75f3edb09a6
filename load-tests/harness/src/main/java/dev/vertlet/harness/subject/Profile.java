package dev.vertlet.harness.subject;

import java.util.Locale;

/** Values of {@code agent.profile}. */
public enum Profile {
  KUBELET,
  FAST;

  /** The value as in the configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
