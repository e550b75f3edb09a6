package dev.vertlet.configsync;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.source.SourceFields;
import dev.vertlet.configsync.source.SourceRules;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code NodeConfigStatus} of the API: null is the local config; null and empty fields are omitted
 * from its JSON.
 *
 * @param error empty without an error
 */
record NodeConfigStatus(
    @Nullable ResolvedSource assigned,
    @Nullable ResolvedSource active,
    @Nullable ResolvedSource lastKnownGood,
    String error) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Value of the Node annotation {@code vertlet.dev/config-status}, and of {@code status.config}.
   */
  ObjectNode json() {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    put(status, "assigned", assigned);
    put(status, "active", active);
    put(status, "lastKnownGood", lastKnownGood);
    if (!error.isEmpty()) {
      status.put("error", error);
    }
    return status;
  }

  /** Returns a strategic merge patch of {@code status.config} that sets this status. */
  ObjectNode patch() {
    ObjectNode patch = json();
    for (String name : List.of("assigned", "active", "lastKnownGood", "error")) {
      if (!patch.has(name)) {
        patch.putNull(name);
      }
    }
    return patch;
  }

  /**
   * Reads the last known good config of an earlier status.
   *
   * @param annotation the JSON of a status; null if there is none
   * @return empty for the local config, and for an invalid status
   */
  static Optional<ResolvedSource> lastKnownGood(@Nullable String annotation) {
    if (annotation == null || annotation.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode good = JSON.readTree(annotation).path("lastKnownGood");
      return good.isMissingNode()
          ? Optional.empty()
          : SourceFields.of(good, "lastKnownGood")
              .filter(fields -> SourceRules.resolved(fields, "lastKnownGood").isEmpty())
              .map(SourceFields::resolved);
    } catch (JsonProcessingException | SourceFields.TypeException e) {
      return Optional.empty(); // written by another client
    }
  }

  private static void put(ObjectNode status, String name, @Nullable ResolvedSource source) {
    if (source != null) {
      status
          .putObject(name)
          .putObject("configMap")
          .put("namespace", source.source().namespace())
          .put("name", source.source().name())
          .put("uid", source.uid())
          .put("resourceVersion", source.resourceVersion())
          .put("kubeletConfigKey", source.source().key());
    }
  }
}
