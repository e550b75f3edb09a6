package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds fields that occur twice in one object; a tree no longer shows them. */
public final class DuplicateFields {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** One object or list that is being read. */
  private static final class Level {
    private final String path;
    private final boolean list;
    private final Set<String> names = new HashSet<>();
    private String field = "";
    private int position = -1;

    Level(String path, boolean list) {
      this.path = path;
      this.list = list;
    }

    String here() {
      if (list) {
        return path + "[" + position + "]";
      }
      return path.isEmpty() ? field : path + "." + field;
    }
  }

  private DuplicateFields() {}

  /**
   * The paths of repeated fields, such as {@code metadata.name}.
   *
   * @param json a valid JSON document
   */
  public static List<String> find(byte[] json) throws IOException {
    List<String> found = new ArrayList<>();
    Deque<Level> levels = new ArrayDeque<>();
    try (JsonParser parser = FACTORY.createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          Level level = levels.getFirst();
          level.field = parser.currentName();
          if (!level.names.add(level.field)) {
            found.add(level.here());
          }
        } else if (token.isStructEnd()) {
          levels.removeFirst();
        } else {
          value(levels, token);
        }
      }
    }
    return found;
  }

  private static void value(Deque<Level> levels, JsonToken token) {
    Level parent = levels.peekFirst();
    if (parent != null && parent.list) {
      parent.position++;
    }
    if (token.isStructStart()) {
      String path = parent == null ? "" : parent.here();
      levels.addFirst(new Level(path, token == JsonToken.START_ARRAY));
    }
  }
}
