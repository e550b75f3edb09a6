package dev.vertlet.payload;

import dev.vertlet.config.UnderFlags;
import dev.vertlet.configsync.IgnoredField;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletField.Effect;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.Translation;
import dev.vertlet.problem.Pointers;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Finds what a payload sets and its node does not run by, and why not. */
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
   * @param said the document that has what the payload says
   * @param template index of the node's
   * @param primary whether the node is the agent's first
   * @param served whether its payload says how its kubelet is served
   * @param runs the document that the node runs by
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

  /** Of the fields of a kubelet first, then of the sections. */
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

  /** Says only that there are logs to serve, wherever they are. */
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

  /** Of the rules of containers each node has its own; all else is the process'. */
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
