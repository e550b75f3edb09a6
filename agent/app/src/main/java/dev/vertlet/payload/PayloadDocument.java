package dev.vertlet.payload;

import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.Places;
import dev.vertlet.kubeletconfig.Translation;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.model.GoDuration;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Applies a payload to the local file's document: in each section that the payload replaces,
 * omitted keys have their defaults.
 */
final class PayloadDocument {
  /** Keys that identify the node. */
  private static final List<String> KEPT = List.of("name", "count", "provider");

  private static final List<String> RENEWAL = List.of("lease", "renewInterval");

  private final JsonObject document;
  private final int template;
  private final boolean primary;
  private final boolean served;
  private final LeaseOptions lease;

  /**
   * @param file local document, which becomes the result
   * @param template index of the node's template
   * @param primary whether fields of the process apply
   * @param served whether fields of the kubelet's server apply
   * @param lease local settings; a payload with the same duration gets the local renewal interval
   */
  PayloadDocument(
      JsonObject file, int template, boolean primary, boolean served, LeaseOptions lease) {
    this.document = file;
    this.template = template;
    this.primary = primary;
    this.served = served;
    this.lease = lease;
    if (file.getJsonArray("nodes") == null) {
      file.put("nodes", new JsonArray().add(new JsonObject()));
    }
  }

  JsonObject document() {
    return document;
  }

  PayloadDocument lay(Payload payload) {
    for (KubeletField field : KubeletFields.all().values()) {
      // feature gates are merged with the local ones
      if (counts(field) && !field.name().equals(KubeletFields.FEATURE_GATES)) {
        Places.remove(document, inSection(field));
        if (!field.keeps()) {
          Translation.remove(document, field, template);
        }
      }
    }
    if (primary) {
      Places.remove(document, List.of("agent", "drainOnShutdown"));
    }
    // later: a section may set a value that a kubelet field sets, too
    Payload.Sections sections = payload.sections();
    if (sections != null) {
      lay(sections);
    }
    payload
        .kubelet()
        .forEach(
            (field, value) -> {
              if (counts(field)) {
                Translation.put(document, field, template, plain(value));
              }
            });
    renew();
    return this;
  }

  private static List<String> inSection(KubeletField field) {
    List<String> path = new ArrayList<>(List.of("kubelet"));
    path.addAll(field.path());
    return path;
  }

  private boolean counts(KubeletField field) {
    if (field.place().isEmpty()) {
      return false;
    }
    return switch (field.effect()) {
      case IGNORED -> false;
      case LOG, PROCESS -> primary;
      case SERVER -> served;
      case LIVE, VERTICLE -> true;
    };
  }

  private void lay(Payload.Sections sections) {
    JsonObject node = document.getJsonArray("nodes").getJsonObject(template);
    Set<String> own = new LinkedHashSet<>(node.fieldNames());
    own.removeAll(KEPT);
    own.forEach(node::remove);
    putAll(node, sections.node());
    if (sections.provider().getValue("simulated") instanceof JsonObject simulated) {
      replace(List.of("simulated", "rules"), simulated.getValue("rules"));
    } else {
      replace(List.of("simulated", "rules"), null);
    }
    if (primary) {
      replace(List.of("simulated"), sections.provider().getValue("simulated"));
      replace(List.of("providers", "settings"), sections.provider().getValue("settings"));
      JsonObject agent = document.getJsonObject("agent", new JsonObject());
      JsonObject kept = new JsonObject();
      for (String key : List.of("identity", "dataDir", "configChangeMode")) {
        if (agent.containsKey(key)) {
          kept.put(key, agent.getValue(key));
        }
      }
      putAll(kept, sections.agent());
      document.put("agent", kept);
    }
  }

  private void replace(List<String> place, @Nullable Object value) {
    Places.remove(document, place);
    if (value != null) {
      Places.put(document, place, plain(value));
    }
  }

  private static void putAll(JsonObject into, JsonObject from) {
    from.forEach(entry -> into.put(entry.getKey(), plain(entry.getValue())));
  }

  /** Escapes variables: payloads must not read the environment, which may contain secrets. */
  static Object plain(Object value) {
    if (value instanceof String text) {
      return text.replace("${", "$${");
    }
    if (value instanceof JsonObject object) {
      JsonObject plain = new JsonObject();
      object.forEach(entry -> plain.put(entry.getKey(), plain(entry.getValue())));
      return plain;
    }
    if (value instanceof JsonArray array) {
      JsonArray plain = new JsonArray();
      array.forEach(item -> plain.add(plain(item)));
      return plain;
    }
    return value;
  }

  /** Sets the renewal interval, which a kubelet cannot: by default a quarter of the duration. */
  private void renew() {
    JsonObject now = document.getJsonObject("lease", new JsonObject());
    if (GoDuration.parse(now.getString("duration", "40s")).equals(lease.duration())) {
      Places.put(document, RENEWAL, GoDuration.format(lease.renewInterval()));
    } else {
      Places.remove(document, RENEWAL);
    }
  }
}
