package dev.vertlet.apiserver.validation;

/** Selectors by labels and by nodes. */
final class SelectorRules {
  private static final String IN_NEEDS_VALUES =
      "must be specified when `operator` is 'In' or 'NotIn'";
  private static final String EXISTS_HAS_NONE =
      "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
  private static final String UNKNOWN = "not a valid selector operator";

  private SelectorRules() {}

  /** A {@code metav1.LabelSelector}; an absent one selects nothing and is fine. */
  static void labels(FieldValue selector) {
    MetadataRules.labels(selector.at("matchLabels"));
    for (FieldValue requirement : selector.at("matchExpressions").items()) {
      FieldValue values = requirement.at("values");
      switch (requirement.at("operator").text()) {
        case "In", "NotIn" -> requireValues(values);
        case "Exists", "DoesNotExist" -> forbidValues(values);
        default -> unknownOperator(requirement);
      }
      requirement.at("key").check(Format.QUALIFIED_NAME);
      values.items().forEach(value -> value.check(Format.LABEL_VALUE));
    }
  }

  /** A node selector that a pod requires. */
  static void nodes(FieldValue selector) {
    FieldValue terms = selector.at("nodeSelectorTerms");
    if (terms.isEmpty()) {
      terms.required("must have at least one node selector term");
    }
    terms.items().forEach(term -> term(term, true));
  }

  /**
   * @param strict whether values must be label values, which the terms of preferences need not be
   */
  static void term(FieldValue term, boolean strict) {
    for (FieldValue requirement : term.at("matchExpressions").items()) {
      FieldValue values = requirement.at("values");
      switch (requirement.at("operator").text()) {
        case "In", "NotIn" -> requireValues(values);
        case "Exists", "DoesNotExist" -> forbidValues(values);
        case "Gt", "Lt" -> {
          if (values.items().size() != 1) {
            values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
          }
        }
        default -> unknownOperator(requirement);
      }
      requirement.at("key").check(Format.QUALIFIED_NAME);
      if (strict) {
        values.items().forEach(value -> value.check(Format.LABEL_VALUE));
      }
    }
    term.at("matchFields").items().forEach(SelectorRules::field);
  }

  private static void field(FieldValue requirement) {
    FieldValue values = requirement.at("values");
    String operator = requirement.at("operator").text();
    if (!operator.equals("In") && !operator.equals("NotIn")) {
      unknownOperator(requirement);
    } else if (values.items().size() != 1) {
      values.required(
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    if (requirement.at("key").is("metadata.name")) {
      values.items().forEach(value -> value.check(Format.DNS_SUBDOMAIN));
    } else {
      requirement
          .at("key")
          .invalid(GoText.quoted(requirement.at("key").text()), "not a valid field selector key");
    }
  }

  private static void requireValues(FieldValue values) {
    if (values.isEmpty()) {
      values.required(IN_NEEDS_VALUES);
    }
  }

  private static void forbidValues(FieldValue values) {
    if (!values.isEmpty()) {
      values.forbidden(EXISTS_HAS_NONE);
    }
  }

  private static void unknownOperator(FieldValue requirement) {
    FieldValue operator = requirement.at("operator");
    operator.invalid(GoText.quoted(operator.text()), UNKNOWN);
  }
}
