package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Weight of a stage among those that match an object. */
public final class StageWeight {
  private final long constant;
  private final @Nullable CompiledValue from;

  StageWeight(long constant, @Nullable CompiledValue from) {
    this.constant = constant;
    this.from = from;
  }

  /**
   * Returns the weight, never below 0: that of {@code weightFrom}, or the constant where the
   * expression has no value. Empty for a text that is no number: the stage then counts only while
   * no other has a weight.
   */
  public OptionalLong of(JsonNode object) {
    Object value = from == null ? null : from.of(object);
    if (value instanceof JsonNode node && node.isTextual()) {
      return number(node.textValue());
    }
    if (value instanceof JsonNode node && node.isNumber()) {
      return OptionalLong.of(Math.max(0, node.longValue()));
    }
    if (value instanceof Boolean flag) {
      return OptionalLong.of(flag ? 1 : 0);
    }
    if (value instanceof com.google.protobuf.Duration duration) {
      return OptionalLong.of(Math.max(0, CelTimes.nanos(duration)));
    }
    if (value instanceof Number number) {
      return OptionalLong.of(Math.max(0, number.longValue()));
    }
    return OptionalLong.of(constant);
  }

  private static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Math.max(0, Long.decode(text)));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
