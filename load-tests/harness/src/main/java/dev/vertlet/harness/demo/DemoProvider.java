package dev.vertlet.harness.demo;

import java.util.Locale;

/** Provider of a demo's pods. */
public enum DemoProvider {
  /** Containers are simulated. */
  SIMULATED,
  /** Containers are processes of this machine, each of which serves a page. */
  PROCESS;

  /** Returns the value as in the configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
