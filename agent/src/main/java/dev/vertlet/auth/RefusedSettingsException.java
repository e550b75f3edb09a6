package dev.vertlet.auth;

import java.util.List;
import java.util.stream.Collectors;

/** Invalid settings: every mistake in one settings record. */
public final class RefusedSettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Refusal> all;

  /**
   * One mistake.
   *
   * @param key key within the record, as in the configuration; a list item has its index, as in
   *     {@code tlsCipherSuites/0}
   * @param value value as configured; empty for a missing one
   * @param allowed allowed values
   */
  public record Refusal(String key, Object value, String allowed) {
    @Override
    public String toString() {
      return key + ": \"" + value + "\" " + allowed;
    }
  }

  RefusedSettingsException(List<Refusal> all) {
    super(all.stream().map(Refusal::toString).collect(Collectors.joining("; ")));
    this.all = List.copyOf(all);
  }

  /** Returns the mistakes; at least one. */
  public List<Refusal> all() {
    return all;
  }
}
