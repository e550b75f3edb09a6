package dev.vertlet.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fields of an object whose metadata is parsed, and the rest once another field is asked for.
 * Confined to one thread at a time.
 */
final class LazyFields extends AbstractMap<String, JsonNode> {
  private static final String METADATA = "metadata";

  private final JsonNode metadata;
  private @Nullable Supplier<ObjectNode> parser;
  private final Map<String, JsonNode> fields = new LinkedHashMap<>();

  /**
   * @param parser parses the whole object on the first access to another field; its exceptions
   *     reach that caller
   */
  LazyFields(JsonNode metadata, Supplier<ObjectNode> parser) {
    this.metadata = metadata;
    this.parser = parser;
  }

  private Map<String, JsonNode> fields() {
    if (parser != null) {
      for (Map.Entry<String, JsonNode> field : parser.get().properties()) {
        // callers may already have changed the metadata
        fields.put(field.getKey(), field.getKey().equals(METADATA) ? metadata : field.getValue());
      }
      parser = null;
    }
    return fields;
  }

  @Override
  public @Nullable JsonNode get(Object name) {
    return parser != null && name.equals(METADATA) ? metadata : fields().get(name);
  }

  @Override
  public boolean containsKey(Object name) {
    return get(name) != null;
  }

  @Override
  public @Nullable JsonNode put(String name, JsonNode value) {
    return fields().put(name, value);
  }

  @Override
  public @Nullable JsonNode remove(Object name) {
    return fields().remove(name);
  }

  @Override
  public Set<Map.Entry<String, JsonNode>> entrySet() {
    return fields().entrySet();
  }
}
