package dev.vertlet.stages.spec;

import dev.vertlet.stages.spec.Stage.Delay;
import dev.vertlet.stages.spec.Stage.Operator;
import dev.vertlet.stages.spec.Stage.Requirement;
import dev.vertlet.stages.spec.Stage.Selector;
import dev.vertlet.stages.spec.Stage.ValueFrom;
import dev.vertlet.stages.spec.Stage.Weight;
import dev.vertlet.stages.spec.Step.PatchType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a Stage from its document. Problems are collected in the document's source. */
final class StageReader {
  static final String GROUP = "kwok.x-k8s.io";
  static final String API_VERSION = GROUP + "/v1alpha1";
  static final String KIND = "Stage";

  private StageReader() {}

  /** Reads a document of the kind Stage. */
  static Stage read(Field document) {
    document.only("apiVersion", "kind", "metadata", "spec", "status");
    String version = document.get("apiVersion").text();
    if (!version.equals(API_VERSION)) {
      document.get("apiVersion").refuse("\"" + version + "\" must be " + API_VERSION);
    }
    String name = document.get("metadata").get("name").required();
    Field spec = document.get("spec");
    if (!spec.isSet()) {
      spec.refuse("must be set");
    }
    spec.only(
        "resourceRef",
        "selector",
        "weight",
        "weightFrom",
        "delay",
        "next",
        "immediateNextStage",
        "steps");
    Long weight = spec.get("weight").count();
    return new Stage(
        name,
        document.at(),
        resource(spec.get("resourceRef")),
        selector(spec.get("selector")),
        new Weight(weight == null ? 0 : weight, valueFrom(spec.get("weightFrom"))),
        delay(spec.get("delay")),
        steps(spec),
        spec.get("immediateNextStage").flag());
  }

  private static ResourceRef resource(Field ref) {
    ref.only("apiGroup", "kind");
    String group = ref.get("apiGroup").text();
    if (group.chars().filter(c -> c == '/').count() > 1) {
      ref.get("apiGroup").refuse("\"" + group + "\" must be a version, or GROUP/VERSION");
    }
    return new ResourceRef(group.isEmpty() ? "v1" : group, ref.get("kind").required());
  }

  private static @Nullable Selector selector(Field selector) {
    if (!selector.isSet()) {
      return null;
    }
    selector.only("matchLabels", "matchAnnotations", "matchExpressions");
    List<Requirement> requirements = new ArrayList<>();
    for (Field item : selector.get("matchExpressions").items()) {
      Requirement requirement = requirement(item);
      if (requirement != null) {
        requirements.add(requirement);
      }
    }
    return new Selector(
        selector.get("matchLabels").textMap(),
        selector.get("matchAnnotations").textMap(),
        requirements);
  }

  private static @Nullable Requirement requirement(Field item) {
    item.only("cel", "jq", "key", "operator", "values");
    if (item.get("jq").isSet()) {
      return jq(item.get("jq").only("key", "operator", "values"));
    }
    if (item.get("key").isSet()) {
      return jq(item);
    }
    if (item.get("cel").isSet()) {
      return new Requirement.Cel(item.get("cel").only("expression").get("expression").source());
    }
    item.refuse("must have jq, cel, or key with operator");
    return null;
  }

  private static @Nullable Requirement jq(Field item) {
    SourceText key = item.get("key").source();
    List<Operator> all = List.of(Operator.values());
    Operator operator = item.get("operator").choice(all, Operator::text);
    List<String> values = item.get("values").texts();
    if (operator == null) {
      if (!item.get("operator").isSet()) {
        item.get("operator").refuse("must be one of In, NotIn, Exists, DoesNotExist");
      }
      return null;
    }
    boolean compares = operator == Operator.IN || operator == Operator.NOT_IN;
    if (compares == values.isEmpty()) {
      item.get("values")
          .refuse(
              compares
                  ? "must have a value for the operator " + operator.text()
                  : "must be empty for the operator " + operator.text());
    }
    return new Requirement.Jq(key, operator, values);
  }

  private static @Nullable ValueFrom valueFrom(Field from) {
    if (!from.isSet()) {
      return null;
    }
    from.only("cel", "jq", "expressionFrom");
    Field cel = from.get("cel");
    Field jq = from.get("jq");
    Field old = from.get("expressionFrom");
    SourceText query = null;
    if (jq.isSet()) {
      query = jq.only("expression").get("expression").source();
    } else if (old.isSet()) {
      query = old.source();
    }
    SourceText program = cel.isSet() ? cel.only("expression").get("expression").source() : null;
    if (query == null && program == null) {
      from.refuse("must have cel, jq or expressionFrom");
    }
    return new ValueFrom(program, query);
  }

  private static @Nullable Delay delay(Field delay) {
    if (!delay.isSet()) {
      return null;
    }
    delay.only(
        "durationMilliseconds", "durationFrom", "jitterDurationMilliseconds", "jitterDurationFrom");
    return new Delay(
        delay.get("durationMilliseconds").count(),
        valueFrom(delay.get("durationFrom")),
        delay.get("jitterDurationMilliseconds").count(),
        valueFrom(delay.get("jitterDurationFrom")));
  }

  /** KWOK takes {@code next} when there are no steps. */
  private static List<Step> steps(Field spec) {
    List<Step> steps = new ArrayList<>();
    for (Field item : spec.get("steps").items()) {
      item.only("patch", "event", "finalizers", "delete", "apply");
      event(item.get("event"), steps);
      finalizers(item.get("finalizers"), steps);
      if (item.get("delete").flag()) {
        steps.add(new Step.Delete());
      } else {
        patch(item.get("patch"), steps);
        apply(item.get("apply"), steps);
      }
    }
    Field next = spec.get("next");
    List<Step> old = next.isSet() ? next(next) : List.of();
    return steps.isEmpty() ? old : steps;
  }

  private static List<Step> next(Field next) {
    next.only(
        "event",
        "finalizers",
        "delete",
        "patches",
        "statusTemplate",
        "statusSubresource",
        "statusPatchAs");
    List<Step> steps = new ArrayList<>();
    event(next.get("event"), steps);
    finalizers(next.get("finalizers"), steps);
    List<Field> patches = next.get("patches").items();
    patches.forEach(patch -> patch(patch, steps));
    if (patches.isEmpty() && !next.get("statusTemplate").text().isEmpty()) {
      Field subresource = next.get("statusSubresource");
      steps.add(
          new Step.Patch(
              subresource.isSet() ? subresource.text() : "status",
              "status",
              next.get("statusTemplate").source(),
              null,
              user(next.get("statusPatchAs"))));
    }
    if (next.get("delete").flag()) {
      steps.add(new Step.Delete());
    }
    return steps;
  }

  private static void event(Field event, List<Step> steps) {
    if (event.isSet()) {
      event.only("type", "reason", "message");
      String type = event.get("type").text();
      if (!type.isEmpty() && !type.equals("Normal") && !type.equals("Warning")) {
        event.get("type").refuse("\"" + type + "\" must be Normal or Warning");
      }
      steps.add(
          new Step.Event(
              type.isEmpty() ? "Normal" : type,
              event.get("reason").text(),
              event.get("message").text()));
    }
  }

  private static void finalizers(Field finalizers, List<Step> steps) {
    if (finalizers.isSet()) {
      finalizers.only("add", "remove", "empty");
      steps.add(
          new Step.Finalizers(
              values(finalizers.get("add")),
              values(finalizers.get("remove")),
              finalizers.get("empty").flag()));
    }
  }

  private static List<String> values(Field items) {
    return items.items().stream().map(i -> i.only("value").get("value").required()).toList();
  }

  private static void patch(Field patch, List<Step> steps) {
    if (patch.isSet()) {
      patch.only("subresource", "root", "template", "type", "impersonation");
      List<PatchType> types = List.of(PatchType.JSON, PatchType.MERGE, PatchType.STRATEGIC);
      steps.add(
          new Step.Patch(
              patch.get("subresource").text(),
              patch.get("root").text(),
              patch.get("template").source(),
              patch.get("type").choice(types, PatchType::text),
              user(patch.get("impersonation"))));
    }
  }

  private static void apply(Field apply, List<Step> steps) {
    if (apply.isSet()) {
      apply.only("template", "subresource", "type", "impersonation");
      List<PatchType> types = List.of(PatchType.APPLY, PatchType.MERGE, PatchType.STRATEGIC);
      PatchType type = apply.get("type").choice(types, PatchType::text);
      steps.add(
          new Step.Apply(
              apply.get("subresource").text(),
              apply.get("template").source(),
              type == null ? PatchType.APPLY : type,
              user(apply.get("impersonation"))));
    }
  }

  private static String user(Field impersonation) {
    return impersonation.isSet() ? impersonation.only("username").get("username").required() : "";
  }
}
