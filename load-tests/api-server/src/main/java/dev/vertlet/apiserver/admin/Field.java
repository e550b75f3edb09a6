package dev.vertlet.apiserver.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.ApiException;
import java.util.List;

/**
 * A field of an admin call and what may be in it.
 *
 * @param allowed what may be in it, in words
 * @param check whether a value is among that
 */
record Field(String name, String allowed, java.util.function.Predicate<JsonNode> check) {
  static Field number(String name, long least, long most) {
    return new Field(
        name,
        "an integer from %d to %d".formatted(least, most),
        value -> value.isIntegralNumber() && value.asLong() >= least && value.asLong() <= most);
  }

  static Field text(String name) {
    return new Field(
        name,
        "a string that is not empty",
        value -> value.isTextual() && !value.asText().isEmpty());
  }

  static Field oneOf(String name, List<String> words) {
    return new Field(
        name,
        String.join(", ", words),
        value -> value.isTextual() && words.contains(value.asText()));
  }

  /** Refuses a value that may not be in this field. */
  void validate(JsonNode value) {
    if (!check.test(value)) {
      throw ApiException.badRequest(
          "%s: %s is not allowed; allowed: %s"
              .formatted(name, value.isMissingNode() ? "no value" : value, allowed));
    }
  }
}
