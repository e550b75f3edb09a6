package dev.vertlet.auth;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that cannot be: all that is wrong with one record of them. */
public final class RefusedSettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Refusal> all;

  /**
   * One of them.
   *
   * @param key within the record, as configurations write it; an item of a list by its index, as in
   *     {@code tlsCipherSuites/0}
   * @param value as it was given; empty for one that is missing
   * @param allowed what it must be
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

  /** At least one. */
  public List<Refusal> all() {
    return all;
  }
}
