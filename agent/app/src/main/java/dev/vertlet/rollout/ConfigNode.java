package dev.vertlet.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.configsync.ConfigAnnotations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Node object's view of its config. */
record ConfigNode(JsonNode object) {
  /** Annotation with the assignment before a rollout; the text {@code null} for none. */
  static final String BEFORE = "vertlet.dev/config-source-before";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Progress of a node towards its assigned config. */
  enum Progress {
    /** The node's agent has not handled the assignment yet. */
    WAITING,
    RUNNING,
    FAILED
  }

  String name() {
    return object.at("/metadata/name").asText();
  }

  /** Returns the value of an annotation; null when it is absent. */
  @Nullable String annotation(String key) {
    JsonNode value = object.at("/metadata/annotations").path(key);
    return value.isTextual() ? value.asText() : null;
  }

  private JsonNode json(String key) {
    String text = annotation(key);
    try {
      return JSON.readTree(text == null ? "{}" : text);
    } catch (IOException e) {
      return JSON.createObjectNode();
    }
  }

  /** Returns the assigned config; null for the local config or an invalid assignment. */
  @Nullable ConfigSource source() {
    JsonNode map = json(ConfigAnnotations.SOURCE).path("configMap");
    return map.isObject()
        ? new ConfigSource(
            map.path("namespace").asText(),
            map.path("name").asText(),
            map.path("kubeletConfigKey").asText())
        : null;
  }

  /** Returns whether an agent has ever reported the node's config. */
  boolean reports() {
    return annotation(ConfigAnnotations.STATUS) != null;
  }

  /** Returns the progress towards this config, or the local config for null. */
  Progress progress(@Nullable ConfigSource wanted) {
    JsonNode status = json(ConfigAnnotations.STATUS);
    String observed = json(ConfigAnnotations.DETAIL).path("observedSourceHash").asText("");
    String hash = wanted == null ? "" : wanted.observedHash();
    if (!reports() || !observed.equals(hash)) {
      return Progress.WAITING;
    }
    if (!status.path("error").asText("").isEmpty()) {
      return Progress.FAILED;
    }
    JsonNode assigned = status.at("/assigned/configMap");
    boolean taken = wanted == null ? assigned.isMissingNode() : wanted.isOf(assigned);
    return taken && status.path("active").equals(status.path("assigned"))
        ? Progress.RUNNING
        : Progress.WAITING;
  }

  /** Returns the message of the condition {@code ConfigOK}; empty without one. */
  String message() {
    return condition().path("message").asText("");
  }

  private JsonNode condition() {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals("ConfigOK")) {
        return condition;
      }
    }
    return JSON.missingNode();
  }

  /** Describes the node's config in lines of text. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    String source = annotation(ConfigAnnotations.SOURCE);
    JsonNode status = json(ConfigAnnotations.STATUS);
    JsonNode detail = json(ConfigAnnotations.DETAIL);
    line(lines, "node", name());
    line(lines, "source", source == null ? "none" : source);
    if (!reports()) {
      line(lines, "status", "none: no agent with configSync.enabled serves this node");
      return lines;
    }
    line(lines, "assigned", version(status.path("assigned")));
    line(lines, "active", version(status.path("active")));
    line(lines, "last good", version(status.path("lastKnownGood")));
    if (detail.has("trialEndsAt")) {
      line(lines, "trial", "until " + detail.path("trialEndsAt").asText());
    }
    if (status.has("error")) {
      line(lines, "error", status.path("error").asText());
    }
    JsonNode ok = condition();
    if (!ok.isMissingNode()) {
      line(
          lines,
          "ConfigOK",
          "%s %s: %s"
              .formatted(
                  ok.path("status").asText(),
                  ok.path("reason").asText(),
                  ok.path("message").asText()));
    }
    if (!detail.path("ignoredBecause").isEmpty()) {
      detail
          .path("ignoredBecause")
          .properties()
          .forEach(
              because ->
                  line(lines, "ignored", joined(because.getValue()) + ": " + because.getKey()));
    } else if (!detail.path("ignoredFields").isEmpty()) {
      // agents of earlier versions report no reasons
      line(lines, "ignored", joined(detail.path("ignoredFields")));
    }
    return lines;
  }

  private static String joined(JsonNode fields) {
    List<String> all = new ArrayList<>();
    fields.forEach(field -> all.add(field.asText()));
    return String.join(" ", all);
  }

  private static void line(List<String> lines, String name, String value) {
    lines.add("%-10s %s".formatted(name, value));
  }

  private static String version(JsonNode source) {
    JsonNode map = source.path("configMap");
    return map.isMissingNode()
        ? "local"
        : "%s/%s key %s version %s"
            .formatted(
                map.path("namespace").asText(),
                map.path("name").asText(),
                map.path("kubeletConfigKey").asText(),
                map.path("resourceVersion").asText());
  }
}
