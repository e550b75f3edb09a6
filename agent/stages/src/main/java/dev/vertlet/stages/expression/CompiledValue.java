package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.runtime.CelEvaluationException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that an expression yields; CEL wins over jq.
 *
 * @param cel null without one
 * @param jq null without one
 */
record CompiledValue(@Nullable CelProgram cel, @Nullable JqQuery jq) {
  /**
   * Evaluates the expression.
   *
   * @return a {@link JsonNode} of jq, a value of CEL, or null where neither yields a value
   */
  @Nullable Object of(JsonNode object) {
    if (cel != null) {
      try {
        return cel.apply(object);
      } catch (CelEvaluationException e) {
        return null;
      }
    }
    List<JsonNode> results = jq == null ? null : jq.apply(object);
    return results == null || results.isEmpty() ? null : results.get(0);
  }
}
