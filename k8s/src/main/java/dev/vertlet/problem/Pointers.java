package dev.vertlet.problem;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts between JSON pointers (RFC 6901) and paths. */
public final class Pointers {
  private Pointers() {}

  public static String of(String... tokens) {
    return of(List.of(tokens));
  }

  public static String of(List<String> tokens) {
    StringBuilder pointer = new StringBuilder();
    for (String token : tokens) {
      pointer.append('/').append(token.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  public static List<String> tokens(String pointer) {
    List<String> tokens = new ArrayList<>();
    int start = 1;
    while (start <= pointer.length()) {
      int end = pointer.indexOf('/', start);
      end = end < 0 ? pointer.length() : end;
      tokens.add(pointer.substring(start, end).replace("~1", "/").replace("~0", "~"));
      start = end + 1;
    }
    return tokens;
  }

  /** Returns the value at this path; null when it is absent. */
  public static @Nullable Object find(JsonObject document, List<String> path) {
    Object value = document;
    for (String token : path) {
      if (value instanceof JsonObject object) {
        value = object.getValue(token);
      } else if (value instanceof JsonArray array) {
        value = item(array, token);
      } else {
        return null;
      }
    }
    return value;
  }

  private static @Nullable Object item(JsonArray array, String token) {
    int index = index(token);
    return index >= 0 && index < array.size() ? array.getValue(index) : null;
  }

  /** The token as an index of a list; -1 when it is none. */
  public static int index(String token) {
    return token.matches("[0-9]{1,9}") ? Integer.parseInt(token) : -1;
  }
}
