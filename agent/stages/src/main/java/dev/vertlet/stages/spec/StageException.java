package dev.vertlet.stages.spec;

import java.util.List;
import java.util.stream.Collectors;

/** Stages that cannot be used, with every mistake found in them. */
public final class StageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<StageProblem> problems;

  /** Creates the exception for at least one problem. */
  public StageException(List<StageProblem> problems) {
    super(problems.stream().map(StageProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** In the order in which they were found. */
  public List<StageProblem> problems() {
    return problems;
  }
}
