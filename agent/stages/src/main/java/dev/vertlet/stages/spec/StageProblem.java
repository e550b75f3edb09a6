package dev.vertlet.stages.spec;

/**
 * A mistake in a stage.
 *
 * @param field path of the field, for example {@code spec.delay.durationMilliseconds}; empty for
 *     the document itself
 * @param message what is wrong and what is allowed
 */
public record StageProblem(Location at, String field, String message) {
  @Override
  public String toString() {
    return at + ": " + (field.isEmpty() ? "" : field + ": ") + message;
  }
}
