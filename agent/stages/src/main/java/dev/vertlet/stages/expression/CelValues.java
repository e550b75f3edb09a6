package dev.vertlet.stages.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.NullValue;
import com.google.protobuf.Timestamp;
import dev.vertlet.model.resource.Quantities;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** JSON values as CEL has them, converted when they are first read. */
final class CelValues {
  /** Fields of pods and nodes that hold times. */
  private static final Set<String> TIMES =
      Set.of(
          "creationTimestamp",
          "deletionTimestamp",
          "startTime",
          "startedAt",
          "finishedAt",
          "lastTransitionTime",
          "lastHeartbeatTime",
          "lastProbeTime",
          "timeAdded");

  /** Fields of pods and nodes that hold quantities. */
  private static final Set<String> AMOUNTS =
      Set.of("capacity", "allocatable", "requests", "limits", "allocatedResources", "overhead");

  private CelValues() {}

  /**
   * Converts a value.
   *
   * @param typed whether times and quantities are converted by the names of their fields
   */
  static Object of(JsonNode node, boolean typed) {
    return switch (node.getNodeType()) {
      case STRING -> node.textValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> node.isIntegralNumber() ? (Object) node.longValue() : node.doubleValue();
      case OBJECT -> new ObjectView(node, typed);
      case ARRAY -> {
        List<Object> list = new ArrayList<>(node.size());
        node.forEach(element -> list.add(of(element, typed)));
        yield list;
      }
      default -> NullValue.NULL_VALUE;
    };
  }

  static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  /**
   * Returns a quantity as a number.
   *
   * @throws IllegalArgumentException if the text is no quantity
   */
  static double amount(String quantity) {
    return Quantities.parse("quantity", quantity).getNumericalAmount().doubleValue();
  }

  private static Object field(String name, JsonNode value, boolean typed) {
    if (!typed) {
      return of(value, false);
    }
    if (TIMES.contains(name) && value.isTextual()) {
      try {
        return timestamp(OffsetDateTime.parse(value.textValue()).toInstant());
      } catch (DateTimeException e) {
        return value.textValue();
      }
    }
    return AMOUNTS.contains(name) && value.isObject() ? amounts(value) : of(value, true);
  }

  private static Map<String, Object> amounts(JsonNode resources) {
    Map<String, Object> amounts = new HashMap<>();
    resources
        .fields()
        .forEachRemaining(
            entry -> {
              try {
                amounts.put(entry.getKey(), amount(entry.getValue().asText()));
              } catch (IllegalArgumentException e) {
                amounts.put(entry.getKey(), entry.getValue().asText());
              }
            });
    return amounts;
  }

  /** An object whose fields are converted when they are read: most expressions read one. */
  private static final class ObjectView extends AbstractMap<String, Object> {
    private final JsonNode node;
    private final boolean typed;

    ObjectView(JsonNode node, boolean typed) {
      this.node = node;
      this.typed = typed;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return key instanceof String name && node.has(name);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      JsonNode value = key instanceof String name ? node.get(name) : null;
      return value == null ? null : field(String.valueOf(key), value, typed);
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
      Map<String, Object> all = new HashMap<>();
      node.fields()
          .forEachRemaining(e -> all.put(e.getKey(), field(e.getKey(), e.getValue(), typed)));
      return all.entrySet();
    }

    @Override
    public int size() {
      return node.size();
    }
  }
}
