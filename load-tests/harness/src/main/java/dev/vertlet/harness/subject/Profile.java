package dev.vertlet.harness.subject;

import java.util.Locale;

/** As {@code agent.profile}. */
public enum Profile {
  KUBELET,
  FAST;

  /** As the configuration writes it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
