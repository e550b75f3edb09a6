package dev.vertlet.kubeletconfig;

import dev.vertlet.eviction.EvictionOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says in the words of the local configuration what a kubelet's field says. */
public final class Translation {
  private Translation() {}

  /**
   * Sets what the field stands for; nothing where that is what holds without it.
   *
   * @param document a configuration
   * @param template index of the node's
   * @param value as the field's type wants it
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
        // a kubelet's own, of which nothing is taken off what pods may use
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

  /** Where this value of the field is put; nowhere for one that sets nothing. */
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

  /** Takes away what the field stands for. */
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

  /** Places have no escapes. */
  private static List<String> tokens(String place) {
    return List.of(place.substring(1).split("/"));
  }
}
