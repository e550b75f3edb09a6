package dev.vertlet.config;

import dev.vertlet.config.document.Suggestions;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.KubeletValues;
import dev.vertlet.kubeletconfig.Places;
import dev.vertlet.kubeletconfig.Translation;
import dev.vertlet.kubeletconfig.validation.KubeletRules;
import dev.vertlet.model.GoDuration;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import dev.vertlet.server.PortRange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Section {@code kubelet}: fields of a KubeletConfiguration for all nodes. Each field is copied to
 * the configuration's own key; a value that stands at that key wins, unless its level is lower.
 */
final class KubeletSection {
  private static final String NAME = "kubelet";
  private static final String POINTER = "/" + NAME;
  private static final String DURATION = "/lease/duration";
  private static final String RENEWAL = "/lease/renewInterval";

  private final Overlay overlay;
  private final JsonObject document;
  private final Problems problems;

  /** For each copied value, its JSON pointer in the document and the field it came from. */
  private final Map<String, String> origins = new LinkedHashMap<>();

  private final List<String> ignored = new ArrayList<>();

  /** What is wrong in it goes to the problems; nothing of it stays in the document. */
  KubeletSection(Overlay overlay, Problems problems) {
    this.overlay = overlay;
    this.document = overlay.document();
    this.problems = problems.at(POINTER);
    if (!document.containsKey(NAME)) {
      return;
    }
    Object section = document.remove(NAME);
    if (section instanceof JsonObject fields) {
      layOut(fields.copy());
    } else {
      this.problems.add(
          section == null
              ? Problem.about("", "null must be an object; leave the key out for its default")
              : Problem.of("", section, "must be an object"));
    }
  }

  /** Returns the fields that vertlet ignores, as messages name them. */
  List<String> ignored() {
    return ignored;
  }

  /** Where it was written, what was laid out from here; other problems as they are. */
  Problem asWritten(Problem problem) {
    return problem.at(asWritten(problem.pointer()));
  }

  /** Returns the pointer of the field that a copied value came from; other pointers unchanged. */
  String asWritten(String pointer) {
    for (Map.Entry<String, String> origin : origins.entrySet()) {
      String place = origin.getKey();
      if (pointer.equals(place) || pointer.startsWith(place + "/")) {
        return origin.getValue() + pointer.substring(place.length());
      }
    }
    return pointer;
  }

  private void layOut(JsonObject json) {
    only(json, "apiVersion", "kubelet.config.k8s.io/v1beta1");
    only(json, "kind", "KubeletConfiguration");
    KubeletValues values = KubeletValues.read(json);
    values.unknown().forEach(this::unknown);
    problems.addAll(values.wrong());
    values
        .set()
        .forEach(
            (field, value) -> {
              if (isGates(field)) {
                gates(field, (JsonObject) value);
              }
            });
    List<Problem> broken =
        values.wrong().isEmpty()
            ? KubeletRules.broken(
                values.set(), FeatureGates.of(document.getValue(KubeletFields.FEATURE_GATES)))
            : List.of();
    problems.addAll(broken);
    values
        .set()
        .forEach(
            (field, value) -> {
              if (!isGates(field) && broken.stream().noneMatch(field::isOf)) {
                layOut(field, value);
              }
            });
  }

  private static boolean isGates(KubeletField field) {
    return field.name().equals(KubeletFields.FEATURE_GATES);
  }

  private void only(JsonObject json, String key, String allowed) {
    Object given = json.remove(key);
    if (given != null && !given.equals(allowed)) {
      problems.refuse("/" + key, given, "must be \"" + allowed + "\", or not be there");
    }
  }

  private void unknown(List<String> path) {
    List<String> known = KubeletFields.all().values().stream().map(KubeletField::name).toList();
    problems.about(
        Pointers.of(path),
        Suggestions.of(String.join(".", path), known)
            .map(near -> "unknown key; did you mean \"" + near + "\"?")
            .orElse("unknown key; must be a field of a KubeletConfiguration v1beta1"));
  }

  private void layOut(KubeletField field, Object value) {
    if (field.name().equals(KubeletFields.PORT)) {
      port(field, ((Number) value).intValue());
    } else if (field.effect() == KubeletField.Effect.IGNORED) {
      ignored.add(field.name());
    } else if (field.ofTemplate()) {
      if (!document.containsKey("nodes")) {
        document.put("nodes", new JsonArray().add(new JsonObject()));
      }
      int templates = document.getValue("nodes") instanceof JsonArray nodes ? nodes.size() : 0;
      for (int template = 0; template < templates; template++) {
        layOut(field, template, value);
      }
    } else {
      layOut(field, 0, value);
    }
  }

  /** Copies every gate on its own. */
  private void gates(KubeletField field, JsonObject gates) {
    for (Map.Entry<String, Object> gate : gates) {
      String place = "/" + KubeletFields.FEATURE_GATES + "/" + gate.getKey();
      if (counts(field.pointer(POINTER) + "/" + gate.getKey(), place)) {
        Places.put(document, Pointers.tokens(place), gate.getValue());
        origins.put(place, field.pointer(POINTER) + "/" + gate.getKey());
      }
    }
  }

  private void layOut(KubeletField field, int template, Object value) {
    String place = field.place(template);
    // enableSystemLogHandler: false also overrides a configured log directory
    boolean both = field.name().equals(KubeletFields.LOG_HANDLER);
    if (both || counts(field, place)) {
      Translation.put(document, field, template, value);
      origins.put(place, field.pointer(POINTER));
      if (place.equals(DURATION) && counts(field, RENEWAL)) {
        // as in a kubelet, which has no field for the renewal interval
        Duration renewal = Duration.ofSeconds(((Number) value).longValue()).dividedBy(4);
        Places.put(document, Pointers.tokens(RENEWAL), GoDuration.format(renewal));
        origins.put(RENEWAL, field.pointer(POINTER));
      }
    }
  }

  /** Copies the port: for one node that port, for several the first of their range. */
  private void port(KubeletField field, int port) {
    String place = "/server/portRange";
    if (counts(field, place)) {
      PortRange usual = ServerConfig.of(new JsonObject()).portRange();
      int last = Math.min(65_535, port + usual.last() - usual.first());
      Places.put(
          document, Pointers.tokens(place), nodes() == 1 ? (Object) port : port + "-" + last);
      origins.put(place, field.pointer(POINTER));
    }
  }

  private int nodes() {
    if (!(document.getValue("nodes") instanceof JsonArray templates)) {
      return 1;
    }
    int nodes = 0;
    for (Object template : templates) {
      nodes +=
          template instanceof JsonObject json && json.getValue("count") instanceof Integer count
              ? count
              : 1;
    }
    return nodes;
  }

  private boolean counts(KubeletField field, String place) {
    return counts(field.pointer(POINTER), place);
  }

  private boolean counts(String pointer, String place) {
    return Pointers.find(document, Pointers.tokens(place)) == null
        || overlay.level(pointer).compareTo(overlay.level(place)) > 0;
  }
}
