package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.validation.Causes;

/** Leases: a PUT needs the resourceVersion, and creates what is absent. */
final class LeaseStrategy implements Strategy {
  @Override
  public void applyDefaults(ObjectNode lease) {
    Json.child(lease, "spec");
  }

  @Override
  public boolean knowsFinalizers() {
    return false;
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    validate(next, causes);
  }

  @Override
  public void validate(ObjectNode lease, Causes causes) {
    JsonNode duration = Json.at(lease, "spec", "leaseDurationSeconds");
    if (duration.isNumber() && duration.asLong() <= 0) {
      causes.invalid("spec.leaseDurationSeconds", duration.asText(), "must be greater than 0");
    }
    JsonNode transitions = Json.at(lease, "spec", "leaseTransitions");
    if (transitions.isNumber() && transitions.asLong() < 0) {
      causes.invalid(
          "spec.leaseTransitions", transitions.asText(), "must be greater than or equal to 0");
    }
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return false;
  }

  @Override
  public boolean createsOnUpdate() {
    return true;
  }

  @Override
  public ObjectNode zeroValue() {
    ObjectNode zero = Json.object();
    zero.putObject("spec");
    return zero;
  }
}
