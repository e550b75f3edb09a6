package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.validation.BudgetRules;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.MetadataRules.Names;

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
  public Names names() {
    return Names.PATH_SEGMENT;
  }

  @Override
  public boolean knowsFinalizers() {
    return false;
  }

  @Override
  public void validate(ObjectNode budget, Causes causes) {
    BudgetRules.spec(FieldValue.of(budget, causes));
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    if (part == Part.STATUS) {
      BudgetRules.status(FieldValue.of(next, causes));
    } else {
      validate(next, causes);
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
