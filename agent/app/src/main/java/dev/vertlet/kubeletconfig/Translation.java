package dev.vertlet.kubeletconfig;

import dev.vertlet.eviction.EvictionOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translates a kubelet's fields to keys of the local configuration. */
public final class Translation {
  private Translation() {}

  /**
   * Sets the local keys of a field; does nothing when the value equals the behaviour without it.
   *
   * @param document a configuration
   * @param template index of the node's template
   * @param value value of the field's type
   */
  public static void put(JsonObject document, KubeletField field, int template, Object value) {
    List<String> place = tokens(field.place(template));
    switch (field.name()) {
      case "nodeLeaseDurationSeconds" -> Places.put(document, place, value + "s");
      case "maxPods" -> Places.put(document, place, String.valueOf(value));
      case "contentType" ->
          Places.put(
              document,
              place,
              switch ((String) value) {
                case "application/vnd.kubernetes.protobuf" -> "protobuf";
                case "application/json" -> "json";
                default -> value;
              });
      case KubeletFields.LOG_HANDLER -> {
        if (value.equals(false)) {
          Places.put(document, place, "");
        }
      }
      case "shutdownGracePeriod" -> {
        Places.put(document, place, value);
        Places.put(document, List.of("agent", "drainOnShutdown"), true);
      }
      case "evictionHard" -> {
        // a kubelet's default, which vertlet does not subtract from allocatable
        if (!((JsonObject) value).getMap().equals(EvictionOptions.DEFAULT_HARD)) {
          Places.put(document, place, value);
        }
      }
      case KubeletFields.FEATURE_GATES ->
          ((JsonObject) value)
              .forEach(gate -> Places.put(document, gate(place, gate.getKey()), gate.getValue()));
      case "logging.verbosity" -> Places.put(document, place, level(value));
      case KubeletFields.VMODULE ->
          ((JsonArray) value)
              .stream()
                  .map(JsonObject.class::cast)
                  .forEach(
                      module ->
                          Places.put(
                              document, level(place, module), level(module.getValue("verbosity"))));
      default -> Places.put(document, place, value);
    }
  }

  /** Returns the paths that this value sets; none for an ignored field. */
  public static List<List<String>> places(KubeletField field, int template, Object value) {
    if (field.place().isEmpty()) {
      return List.of();
    }
    List<String> place = tokens(field.place(template));
    return switch (field.name()) {
      case KubeletFields.FEATURE_GATES ->
          ((JsonObject) value).fieldNames().stream().map(gate -> gate(place, gate)).toList();
      case KubeletFields.VMODULE ->
          ((JsonArray) value)
              .stream().map(JsonObject.class::cast).map(module -> level(place, module)).toList();
      default -> List.of(place);
    };
  }

  /** Removes the local keys of the field. */
  public static void remove(JsonObject document, KubeletField field, int template) {
    Places.remove(document, tokens(field.place(template)));
  }

  private static List<String> gate(List<String> place, String name) {
    return List.of(place.get(0), name);
  }

  private static List<String> level(List<String> place, JsonObject module) {
    String pattern = module.getValue("filePattern") instanceof String text ? text : "";
    return List.of(place.get(0), place.get(1), pattern);
  }

  private static String level(@Nullable Object verbosity) {
    return Verbosity.level(verbosity instanceof Number number ? number.longValue() : 0);
  }

  /** Splits a place, which contains no escapes. */
  private static List<String> tokens(String place) {
    return List.of(place.substring(1).split("/"));
  }
}
