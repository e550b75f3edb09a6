package dev.vertlet.auth;

import dev.vertlet.problem.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Settings that cannot be: all that is wrong with one record of them. */
public final class RefusedSettingsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  RefusedSettingsException(List<Problem> problems) {
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
