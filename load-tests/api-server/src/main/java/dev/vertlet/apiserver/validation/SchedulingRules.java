package dev.vertlet.apiserver.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Where a pod may run: taints and tolerations, affinity, spread. */
final class SchedulingRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final String[] EFFECTS = {"NoSchedule", "PreferNoSchedule", "NoExecute"};

  private SchedulingRules() {}

  static void tolerations(FieldValue tolerations) {
    for (FieldValue toleration : tolerations.items()) {
      FieldValue operator = toleration.at("operator");
      toleration.at("key").checkAny(Format.QUALIFIED_NAME);
      if (toleration.at("key").isEmpty() && !operator.is("Exists")) {
        operator.invalid(
            GoText.quoted(operator.text()),
            "operator must be Exists when `key` is empty, which means \"match all values and all"
                + " keys\"");
      }
      FieldValue effect = toleration.at("effect");
      if (toleration.at("tolerationSeconds").isPresent() && !effect.is("NoExecute")) {
        effect.invalid(
            GoText.quoted(effect.text()),
            "effect must be 'NoExecute' when `tolerationSeconds` is set");
      }
      operator(toleration, operator);
      if (!effect.isEmpty()) {
        effect.oneOf(EFFECTS);
      }
    }
  }

  /** The value is reported at the operator. */
  private static void operator(FieldValue toleration, FieldValue operator) {
    String value = toleration.at("value").text();
    switch (operator.text()) {
      case "", "Equal" -> {
        List<String> problems = Format.LABEL_VALUE.problems(value);
        if (!problems.isEmpty()) {
          operator.invalid(GoText.quoted(value), String.join(";", problems));
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          operator.invalid(GoText.quoted(value), "value must be empty when `operator` is 'Exists'");
        }
      }
      case "Lt", "Gt" ->
          operator
              .causes()
              .unsupported(operator.path(), operator.text(), "Equal", "Exists", "Lt", "Gt");
      default -> operator.oneOf("Equal", "Exists");
    }
  }

  /** Taints of a node. */
  static void taints(FieldValue taints) {
    Set<String> seen = new HashSet<>();
    for (FieldValue taint : taints.items()) {
      taint.at("key").check(Format.QUALIFIED_NAME);
      FieldValue value = taint.at("value");
      List<String> problems = Format.LABEL_VALUE.problems(value.text());
      if (!problems.isEmpty()) {
        value.invalid(String.join(";", problems));
      }
      FieldValue effect = taint.at("effect");
      if (!effect.requireAny()) {
        effect.oneOf(EFFECTS);
      }
      if (!seen.add(taint.at("key").text() + " " + effect.text())) {
        taint
            .causes()
            .duplicate(
                taint.path(),
                GoText.struct(taint.json(), "Key", "Value", "Effect", "TimeAdded?").toString(),
                "taints must be unique by key and effect pair");
      }
    }
  }

  static void affinity(FieldValue affinity) {
    FieldValue nodes = affinity.at("nodeAffinity");
    if (nodes.at(REQUIRED).isPresent()) {
      SelectorRules.nodes(nodes.at(REQUIRED));
    }
    for (FieldValue preference : nodes.at(PREFERRED).items()) {
      weight(preference);
      SelectorRules.term(preference.at("preference"), false);
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      affinity.at(kind, REQUIRED).items().forEach(SchedulingRules::podTerm);
      for (FieldValue weighted : affinity.at(kind, PREFERRED).items()) {
        weight(weighted);
        podTerm(weighted.at("podAffinityTerm"));
      }
    }
  }

  private static void weight(FieldValue weighted) {
    FieldValue weight = weighted.at("weight");
    if (weight.number() < 1 || weight.number() > 100) {
      weight.invalid(Long.toString(weight.number()), "must be in the range 1-100");
    }
  }

  private static void podTerm(FieldValue term) {
    SelectorRules.labels(term.at("labelSelector"));
    SelectorRules.labels(term.at("namespaceSelector"));
    for (FieldValue namespace : term.at("namespaces").items()) {
      term.at("namespace").reporting(namespace).check(Format.DNS_LABEL);
    }
    for (String keys : List.of("matchLabelKeys", "mismatchLabelKeys")) {
      labelKeys(term.at(keys), term.at("labelSelector"));
    }
    FieldValue topology = term.at("topologyKey");
    if (topology.isEmpty()) {
      topology.required("can not be empty");
    }
    topology.check(Format.QUALIFIED_NAME);
  }

  private static void labelKeys(FieldValue keys, FieldValue selector) {
    if (keys.isEmpty()) {
      return;
    }
    if (!selector.isPresent()) {
      keys.forbidden("must not be specified when labelSelector is not set");
    } else {
      keys.items().forEach(key -> key.check(Format.QUALIFIED_NAME));
    }
  }

  static void spread(FieldValue constraints) {
    Set<String> kinds = new HashSet<>();
    Set<String> repeated = new HashSet<>();
    constraints
        .items()
        .forEach(
            each -> {
              if (!kinds.add(kind(each))) {
                repeated.add(kind(each));
              }
            });
    for (FieldValue constraint : constraints.items()) {
      spread(constraint, repeated.remove(kind(constraint)));
    }
  }

  private static String kind(FieldValue constraint) {
    return "{%s, %s}"
        .formatted(constraint.at("topologyKey").text(), constraint.at("whenUnsatisfiable").text());
  }

  private static void spread(FieldValue constraint, boolean repeated) {
    positive(constraint.at("maxSkew"));
    if (constraint.at("topologyKey").isEmpty()) {
      constraint.at("topologyKey").required("can not be empty");
    }
    FieldValue action = constraint.at("whenUnsatisfiable");
    action.oneOf("DoNotSchedule", "ScheduleAnyway");
    if (repeated) {
      FieldValue both = constraint.at("{topologyKey, whenUnsatisfiable}");
      both.causes().duplicate(both.path(), GoText.quoted(kind(constraint)), "");
    }
    FieldValue domains = constraint.at("minDomains");
    if (domains.isPresent()) {
      positive(domains);
      if (!action.is("DoNotSchedule")) {
        domains.invalid(
            "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action.text());
      }
    }
    constraint.at("nodeAffinityPolicy").anyOneOf("Honor", "Ignore");
    constraint.at("nodeTaintsPolicy").anyOneOf("Honor", "Ignore");
    labelKeys(constraint.at("matchLabelKeys"), constraint.at("labelSelector"));
    SelectorRules.labels(constraint.at("labelSelector"));
  }

  static void positive(FieldValue number) {
    if (number.number() <= 0) {
      number.invalid(Long.toString(number.number()), "must be greater than zero");
    }
  }
}
