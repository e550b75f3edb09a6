package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.selector.LabelSelector;

/** Disruption budgets: a status of its own, and generations that tell whether it is up to date. */
final class PodDisruptionBudgetStrategy implements Strategy {
  @Override
  public void applyDefaults(ObjectNode budget) {
    Json.child(budget, "spec");
    ObjectNode status = Json.child(budget, "status");
    for (String count :
        new String[] {"disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"}) {
      if (!status.has(count)) {
        status.put(count, 0);
      }
    }
  }

  @Override
  public void prepareForCreate(ObjectNode budget) {
    Json.child(budget, "metadata").put("generation", 1);
    budget.remove("status");
    applyDefaults(budget);
  }

  @Override
  public void validate(ObjectNode budget, Causes causes) {
    ObjectNode spec = Json.view(budget, "spec");
    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
      causes.invalid("spec", spec.toString(), "minAvailable and maxUnavailable cannot be both set");
    }
    for (String field : new String[] {"minAvailable", "maxUnavailable"}) {
      String value = spec.path(field).asText("0");
      if (spec.path(field).isTextual() && !value.matches("[0-9]+%")) {
        causes.invalid(
            "spec." + field,
            '"' + value + '"',
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',"
                + "  or '93%', regex used for validation is '[0-9]+%')");
      } else if (value.startsWith("-")) {
        causes.invalid("spec." + field, value, "must be greater than or equal to 0");
      }
    }
    String policy = Json.text(spec, "unhealthyPodEvictionPolicy");
    if (!policy.isEmpty() && !policy.equals("AlwaysAllow") && !policy.equals("IfHealthyBudget")) {
      causes.unsupported(
          "spec.unhealthyPodEvictionPolicy", policy, "AlwaysAllow", "IfHealthyBudget");
    }
    validateSelector(spec, causes);
  }

  private static void validateSelector(ObjectNode spec, Causes causes) {
    try {
      LabelSelector.of(spec.path("selector"));
    } catch (IllegalArgumentException e) {
      causes.invalid(
          "spec.selector.matchExpressions", "\"\"", "not a valid label selector operator");
    }
  }

  @Override
  public boolean countsGenerations() {
    return true;
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return false;
  }

  @Override
  public ObjectNode zeroValue() {
    ObjectNode zero = Json.object();
    applyDefaults(zero);
    return zero;
  }
}
