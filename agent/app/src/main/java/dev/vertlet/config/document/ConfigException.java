package dev.vertlet.config.document;

import dev.vertlet.problem.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be run, with every problem that was found in it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public ConfigException(List<Problem> problems) {
    super(
        problems.stream().map(Problem::toString).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    this.problems = List.copyOf(problems);
  }

  public ConfigException(Problem problem) {
    this(List.of(problem));
  }

  /** At least one, in the order of the document. */
  public List<Problem> problems() {
    return problems;
  }
}
