package dev.vertlet.payload;

import dev.vertlet.config.UnderFlags;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletField.Effect;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.Translation;
import dev.vertlet.problem.IgnoredField;
import dev.vertlet.problem.Pointers;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Finds the fields of a dynamic config that do not apply to its node, with the reasons. */
final class IgnoredFields {
  private static final String MEANINGLESS = "means nothing here";
  private static final String FIRST_NODE = "counts in the payload of the agent's first node alone";
  private static final String SHARED_PORT =
      "the nodes share a port, so the payload of the agent's first node says how it is served";

  private final Payload payload;
  private final JsonObject said;
  private final int template;
  private final boolean primary;
  private final boolean served;
  private final UnderFlags runs;
  private final List<IgnoredField> ignored = new ArrayList<>();

  /**
   * @param said document with the payload applied
   * @param template index of the node's template
   * @param primary whether the node is the agent's first
   * @param served whether the payload decides how the node's kubelet is served
   * @param runs effective document of the node
   */
  IgnoredFields(
      Payload payload,
      JsonObject said,
      int template,
      boolean primary,
      boolean served,
      UnderFlags runs) {
    this.payload = payload;
    this.said = said;
    this.template = template;
    this.primary = primary;
    this.served = served;
    this.runs = runs;
  }

  /** Returns the kubelet's fields first, then those of the other sections. */
  List<IgnoredField> find() {
    payload.kubelet().forEach(this::field);
    Payload.Sections sections = payload.sections();
    if (sections != null) {
      section("/node", sections.node(), List.of("nodes", String.valueOf(template)));
      if (primary) {
        section("/agent", sections.agent(), List.of("agent"));
      } else {
        sections.agent().fieldNames().forEach(key -> add("/agent/" + key, FIRST_NODE));
      }
      ofProvider(sections.provider());
    }
    return ignored;
  }

  private void add(String pointer, String reason) {
    ignored.add(new IgnoredField(pointer, reason));
  }

  private void field(KubeletField field, Object value) {
    String pointer = payload.pointer(field);
    if (field.name().equals(KubeletFields.FEATURE_GATES)) {
      gates(pointer, (JsonObject) value);
    } else if (field.effect() == Effect.IGNORED) {
      add(pointer, MEANINGLESS);
    } else if ((field.effect() == Effect.PROCESS || field.effect() == Effect.LOG) && !primary) {
      add(pointer, FIRST_NODE);
    } else if (field.effect() == Effect.SERVER && !served) {
      add(pointer, SHARED_PORT);
    } else if (!isOn(field, value)) {
      Translation.places(field, template, value).forEach(place -> covered(pointer, place));
    }
  }

  /** Returns whether the field enables logs that are already served from any directory. */
  private boolean isOn(KubeletField field, Object value) {
    return field.name().equals(KubeletFields.LOG_HANDLER)
        && value.equals(true)
        && !"".equals(Pointers.find(runs.document(), Pointers.tokens(field.place(template))));
  }

  private void gates(String pointer, JsonObject gates) {
    for (String gate : gates.fieldNames()) {
      if (FeatureGates.honoured(gate)) {
        covered(pointer + "/" + gate, List.of(KubeletFields.FEATURE_GATES, gate));
      } else {
        add(pointer + "/" + gate, MEANINGLESS);
      }
    }
  }

  /** Checks the provider section: only container rules are per node, all else per process. */
  private void ofProvider(JsonObject provider) {
    if (provider.getValue("simulated") instanceof JsonObject simulated) {
      for (String key : simulated.fieldNames()) {
        if (primary || key.equals("rules")) {
          said("/provider/simulated/" + key, simulated.getValue(key), List.of("simulated", key));
        } else {
          add("/provider/simulated/" + key, FIRST_NODE);
        }
      }
    }
    if (provider.containsKey("settings")) {
      if (primary) {
        said("/provider/settings", provider.getValue("settings"), List.of("providers", "settings"));
      } else {
        add("/provider/settings", FIRST_NODE);
      }
    }
  }

  private void section(String pointer, JsonObject section, List<String> place) {
    for (String key : section.fieldNames()) {
      List<String> below = new ArrayList<>(place);
      below.add(key);
      said(pointer + Pointers.of(key), section.getValue(key), below);
    }
  }

  private void said(String pointer, Object value, List<String> place) {
    if (value instanceof JsonObject object && !object.isEmpty()) {
      section(pointer, object, place);
    } else if (!PayloadDocument.plain(value).equals(Pointers.find(said, place))) {
      add(pointer, "the section kubelet of the payload says it, too");
    } else {
      covered(pointer, place);
    }
  }

  private void covered(String pointer, List<String> place) {
    Object wanted = Pointers.find(said, place);
    if (!Objects.equals(wanted, Pointers.find(runs.document(), place))) {
      String origin = runs.origin(Pointers.of(place));
      String above = origin.isEmpty() ? "the local configuration" : origin;
      IgnoredField field = new IgnoredField(pointer, above + " stands above it");
      if (!ignored.contains(field)) {
        ignored.add(field);
      }
    }
  }
}
