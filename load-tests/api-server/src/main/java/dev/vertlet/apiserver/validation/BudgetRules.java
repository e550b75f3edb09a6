package dev.vertlet.apiserver.validation;

import java.util.List;

/** PodDisruptionBudgets. */
public final class BudgetRules {
  private static final String[] SPEC = {
    "MinAvailable?", "Selector?", "MaxUnavailable?", "UnhealthyPodEvictionPolicy?"
  };

  private BudgetRules() {}

  /** Checks the spec of a budget. */
  public static void spec(FieldValue budget) {
    FieldValue spec = budget.at("spec");
    FieldValue least = spec.at("minAvailable");
    FieldValue most = spec.at("maxUnavailable");
    if (least.isPresent() && most.isPresent()) {
      spec.invalid(
          GoText.struct(spec.json(), SPEC).toString(),
          "minAvailable and maxUnavailable cannot be both set");
    }
    amount(least);
    amount(most);
    SelectorRules.labels(spec.at("selector"));
    spec.at("unhealthyPodEvictionPolicy").anyOneOf("AlwaysAllow", "IfHealthyBudget");
  }

  private static void amount(FieldValue amount) {
    if (!amount.json().isTextual()) {
      amount.notNegative();
      return;
    }
    amount.check(Format.PERCENTAGE);
    if (Format.PERCENTAGE.fits(amount.text()) && Format.isMoreThanAll(amount.text())) {
      amount.invalid("must not be greater than 100%");
    }
  }

  /** Checks an update of a status. */
  public static void status(FieldValue budget) {
    FieldValue status = budget.at("status");
    for (FieldValue condition : status.at("conditions").items()) {
      ConditionRules.standard(condition);
    }
    for (String count :
        List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
      status.at(count).notNegative();
    }
  }
}
