package dev.vertlet.stages.template.value;

import org.jspecify.annotations.Nullable;

/**
 * Go's json.Number: a number of JSON as it is written. For Go it is a kind of string: it equals
 * {@code "5"}, not {@code 5}, and only sprig's functions of numbers and its own methods calculate
 * with it.
 *
 * @param text as JSON has it
 */
public record JsonNumber(String text) implements Methods {
  @Override
  public @Nullable Function method(String name) {
    return switch (name) {
      case "String" -> Function.of("", arguments -> text);
      case "Int64" -> Function.of("", arguments -> int64());
      case "Float64" -> Function.of("", arguments -> float64());
      default -> null;
    };
  }

  private GoInteger int64() {
    Long value = GoNumbers.parseInteger(text, 10);
    if (value == null) {
      throw new FunctionException(
          "strconv.ParseInt: parsing " + GoQuote.quote(text) + ": invalid syntax");
    }
    return GoInteger.int64(value);
  }

  private Double float64() {
    Double value = GoNumbers.parseFloat(text);
    if (value == null) {
      throw new FunctionException(
          "strconv.ParseFloat: parsing " + GoQuote.quote(text) + ": value out of range");
    }
    return value;
  }

  @Override
  public String toString() {
    return text;
  }
}
