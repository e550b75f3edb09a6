package dev.vertlet.apiserver.registry;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.SigningRequestRules;
import java.util.Base64;
import java.util.Set;

/**
 * Requests for certificates. They are decided on through {@code approval} and signed through {@code
 * status}; their spec never changes.
 */
final class SigningRequestStrategy implements Strategy {
  private static final Set<String> DECISIONS = Set.of("Approved", "Denied");

  private static final String REQUEST = "-----BEGIN CERTIFICATE REQUEST-----";

  @Override
  public void prepareForCreate(ObjectNode request) {
    request.remove("status");
    request.putObject("status");
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    Json.copyField(current, next, "spec");
    if (part == Part.APPROVAL) {
      ObjectNode status = Json.child(current.deepCopy(), "status");
      status.set("conditions", merged(next, current));
      next.set("status", status);
    }
  }

  /** Decisions of one object with all other conditions of another. */
  private static ArrayNode merged(ObjectNode decided, ObjectNode rest) {
    ArrayNode conditions = Json.object().putArray("conditions");
    for (JsonNode each : Json.at(decided, "status", "conditions")) {
      if (isDecision(each)) {
        conditions.add(each.deepCopy());
      }
    }
    for (JsonNode each : Json.at(rest, "status", "conditions")) {
      if (!isDecision(each)) {
        conditions.add(each.deepCopy());
      }
    }
    return conditions;
  }

  private static boolean isDecision(JsonNode condition) {
    return DECISIONS.contains(condition.path("type").asText());
  }

  @Override
  public void validate(ObjectNode request, Causes causes) {
    ObjectNode spec = Json.view(request, "spec");
    if (!holdsRequest(Json.text(spec, "request"))) {
      causes.invalid(
          "spec.request",
          spec.path("request").isTextual() ? spec.path("request").toString() : "null",
          "PEM block type must be CERTIFICATE REQUEST");
    }
    SigningRequestRules.created(FieldValue.of(request, causes));
    decisions(request, causes);
  }

  private static void decisions(ObjectNode request, Causes causes) {
    int decisions = 0;
    for (JsonNode each : Json.at(request, "status", "conditions")) {
      decisions += isDecision(each) ? 1 : 0;
    }
    if (decisions > 1) {
      causes.invalid(
          "status.conditions",
          "\"Denied\"",
          "Approved and Denied conditions are mutually exclusive");
    }
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    decisions(next, causes);
    if (part != Part.STATUS) {
      return;
    }
    for (String type : DECISIONS) {
      if (has(next, type) && !has(current, type)) {
        causes.forbidden(
            "status.conditions", "updates may not add a condition of type \"" + type + "\"");
      }
    }
  }

  private static boolean has(ObjectNode request, String type) {
    for (JsonNode each : Json.at(request, "status", "conditions")) {
      if (each.path("type").asText().equals(type)) {
        return true;
      }
    }
    return false;
  }

  private static boolean holdsRequest(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), US_ASCII).contains(REQUEST);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.signerName");
  }
}
