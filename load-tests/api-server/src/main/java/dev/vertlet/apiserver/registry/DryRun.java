package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.validation.Causes;

/** The {@code dryRun} option of a write. */
public final class DryRun {
  private static final String ALL = "All";

  private DryRun() {}

  /**
   * Whether a write shall change nothing.
   *
   * @param options the kind of the options that the value is part of
   * @param value what the client asked for, empty when nothing
   */
  public static boolean isAsked(String options, String value) {
    if (!value.isEmpty() && !value.equals(ALL)) {
      Causes causes = new Causes();
      causes.unsupportedItem("dryRun", value, ALL);
      causes.throwIfAny("meta.k8s.io", options, "");
    }
    return !value.isEmpty();
  }
}
