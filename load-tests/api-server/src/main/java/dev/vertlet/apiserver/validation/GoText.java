package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;

/** Values as a server written in Go shows them in its messages. */
final class GoText {
  private GoText() {}

  /** Texts in quotes, numbers plain, everything else as JSON. */
  static String of(JsonNode value) {
    return value.isTextual()
        ? quoted(value.textValue())
        : value.isMissingNode() ? "null" : value.toString();
  }

  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (c < ' ' || c == 0x7F) {
            quoted.append("\\x%02x".formatted((int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }

  /**
   * A value of an internal type, whose fields are called as in Go, with all that is absent.
   *
   * @param fields the fields in order; one that is null when absent ends in {@code ?}, one that is
   *     0 in {@code #}, others are empty texts
   */
  static ObjectNode struct(JsonNode value, String... fields) {
    ObjectNode struct = Json.object();
    for (String field : fields) {
      char last = field.charAt(field.length() - 1);
      String name = last == '?' || last == '#' ? field.substring(0, field.length() - 1) : field;
      JsonNode found = value.path(jsonName(name));
      if (!found.isMissingNode()) {
        struct.set(name, found);
      } else if (last == '?') {
        struct.putNull(name);
      } else if (last == '#') {
        struct.put(name, 0);
      } else {
        struct.put(name, "");
      }
    }
    return struct;
  }

  /** A list of values of an internal type. */
  static ArrayNode structs(JsonNode list, String... fields) {
    ArrayNode structs = Json.array();
    list.forEach(value -> structs.add(struct(value, fields)));
    return structs;
  }

  /**
   * {@code IP} is {@code ip}, {@code UID} is {@code uid}, {@code APIVersion} is {@code apiVersion}.
   */
  private static String jsonName(String name) {
    int upper = 0;
    while (upper < name.length() && Character.isUpperCase(name.charAt(upper))) {
      upper++;
    }
    int small = upper == name.length() || upper == 1 ? upper : upper - 1;
    return name.substring(0, small).toLowerCase(java.util.Locale.ROOT) + name.substring(small);
  }
}
