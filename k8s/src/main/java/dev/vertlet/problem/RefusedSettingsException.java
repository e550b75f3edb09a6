package dev.vertlet.problem;

import java.util.List;
import java.util.stream.Collectors;

/** Invalid settings: every mistake in one settings record. */
public final class RefusedSettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public RefusedSettingsException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /**
   * At least one. Their places are keys within the record, as configurations write them, and begin
   * with no slash; an item of a list is at its index, as in {@code tlsCipherSuites/0}.
   */
  public List<Problem> problems() {
    return problems;
  }
}
