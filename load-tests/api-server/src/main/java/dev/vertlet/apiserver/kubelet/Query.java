package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.QueryFlag;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Parameters of a URL, several values of one name in their order. Not thread-safe. */
public final class Query {
  private final Map<String, List<String>> values = new TreeMap<>();

  /** Adds a value. */
  public void add(String name, String value) {
    values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** All values, none when the parameter is absent. */
  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** The first value, empty when the parameter is absent. */
  public String text(String name) {
    return has(name) ? all(name).get(0) : "";
  }

  /** Whether the first value means yes; absence means no. */
  boolean flag(String name) {
    return has(name) && QueryFlag.isTrue(text(name));
  }

  /** A whole number, none when the parameter is absent. */
  Optional<Long> number(String name) {
    if (!has(name)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.valueOf(text(name)));
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "strconv.ParseInt: parsing \"%s\": invalid syntax".formatted(text(name)));
    }
  }

  /** As it stands behind the question mark, in the order of the names. */
  @Override
  public String toString() {
    List<String> pairs = new ArrayList<>();
    values.forEach(
        (name, list) -> list.forEach(value -> pairs.add(encode(name) + "=" + encode(value))));
    return String.join("&", pairs);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
