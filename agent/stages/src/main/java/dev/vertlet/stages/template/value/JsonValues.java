package dev.vertlet.stages.template.value;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of templates made of JSON. */
public final class JsonValues {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonValues() {}

  /**
   * Values of data as KWOK hands them to a template: it writes the data as JSON and reads that with
   * json.Number for numbers.
   *
   * @param data maps, lists, strings, numbers, booleans, null and Jackson nodes
   * @throws IllegalArgumentException for anything else
   */
  public static @Nullable Object of(@Nullable Object data) {
    return convert(data, false);
  }

  /**
   * Reads JSON as Go's encoding/json does without more: numbers are float64.
   *
   * @throws FunctionException if the text is no JSON
   */
  public static @Nullable Object parse(String json) {
    try {
      JsonNode node = MAPPER.readTree(json);
      if (node.isMissingNode()) {
        throw new FunctionException("unexpected end of JSON input");
      }
      return convert(node, true);
    } catch (JsonProcessingException e) {
      throw new FunctionException("invalid JSON: " + e.getOriginalMessage());
    }
  }

  private static @Nullable Object convert(@Nullable Object data, boolean floats) {
    if (data == null || data instanceof String || data instanceof Boolean) {
      return data;
    }
    if (data instanceof JsonNode node) {
      return convertNode(node, floats);
    }
    if (data instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> out = new LinkedHashMap<>();
      map.forEach((key, value) -> out.put(String.valueOf(key), convert(value, floats)));
      return out;
    }
    if (data instanceof Iterable<?> list) {
      List<@Nullable Object> out = new ArrayList<>();
      list.forEach(element -> out.add(convert(element, floats)));
      return out;
    }
    if (data instanceof JsonNumber) {
      return data;
    }
    if (data instanceof Number number) {
      return number(number, floats);
    }
    throw new IllegalArgumentException("not JSON: " + data.getClass().getName());
  }

  private static @Nullable Object convertNode(JsonNode node, boolean floats) {
    if (node.isObject()) {
      Map<String, @Nullable Object> out = new LinkedHashMap<>();
      node.properties().forEach(e -> out.put(e.getKey(), convertNode(e.getValue(), floats)));
      return out;
    }
    if (node.isArray()) {
      List<@Nullable Object> out = new ArrayList<>();
      node.forEach(element -> out.add(convertNode(element, floats)));
      return out;
    }
    if (node.isNumber()) {
      return number(node.numberValue(), floats);
    }
    if (node.isTextual()) {
      return node.textValue();
    }
    return node.isBoolean() ? (Object) node.booleanValue() : null;
  }

  private static Object number(Number number, boolean floats) {
    if (floats) {
      double value = number.doubleValue();
      if (Double.isInfinite(value)) {
        throw new FunctionException(
            "json: cannot unmarshal number " + number + " into Go value of type float64");
      }
      return value;
    }
    if (number instanceof Long
        || number instanceof Integer
        || number instanceof Short
        || number instanceof Byte
        || number instanceof BigInteger) {
      return new JsonNumber(number.toString());
    }
    double value = number.doubleValue();
    if (number instanceof Float) {
      value = new BigDecimal(number.toString()).doubleValue();
    }
    return new JsonNumber(JsonWriter.number(value));
  }
}
