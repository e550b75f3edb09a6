package dev.vertlet.remote.client;

import dev.vertlet.problem.Problem;

/** A value of the back end breaks the contract. The message names the field and what is allowed. */
public final class ContractException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ContractException(Problem problem) {
    super(text(problem), null, false, false);
    this.problem = problem;
  }

  /** The document as a whole needs no pointer. */
  private static String text(Problem problem) {
    return problem.pointer().isEmpty() ? problem.allowed() : problem.toString();
  }

  /** Returns the same failure of a part of a document that is at this pointer. */
  public ContractException under(String pointer) {
    return new ContractException(problem.under(pointer));
  }
}
