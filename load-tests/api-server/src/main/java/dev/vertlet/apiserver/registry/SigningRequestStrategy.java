package dev.vertlet.apiserver.registry;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.SigningRequestRules;
import dev.vertlet.apiserver.validation.SigningRequestStatusRules;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Requests for certificates. They are decided on through {@code approval} and signed through {@code
 * status}; their spec never changes.
 */
final class SigningRequestStrategy implements Strategy {
  private static final String REQUEST = "-----BEGIN CERTIFICATE REQUEST-----";

  @Override
  public void prepareForCreate(ObjectNode request) {
    request.remove("status");
    request.putObject("status");
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    Json.copyField(current, next, "spec");
    ObjectNode status = Json.child(next, "status");
    if (part == Part.APPROVAL) {
      ObjectNode kept = Json.view(current, "status").deepCopy();
      Json.copyField(status, kept, "conditions");
      next.set("status", kept);
    } else if (part == Part.STATUS && status.get("conditions") instanceof ArrayNode conditions) {
      JsonNode old = Json.at(current, "status", "conditions");
      SigningRequestStatusRules.DECISIONS.forEach(type -> keep(type, conditions, old));
    }
  }

  /** Decisions stay as they are unless there are more or fewer, which validation refuses. */
  private static void keep(String type, ArrayNode conditions, JsonNode old) {
    List<Integer> from = indices(type, old);
    List<Integer> to = indices(type, conditions);
    if (from.size() == to.size()) {
      for (int i = 0; i < from.size(); i++) {
        conditions.set(to.get(i), old.path(from.get(i)).deepCopy());
      }
    }
  }

  private static List<Integer> indices(String type, JsonNode conditions) {
    return IntStream.range(0, conditions.size())
        .filter(i -> conditions.path(i).path("type").asText().equals(type))
        .boxed()
        .toList();
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
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    SigningRequestStatusRules.updated(
        FieldValue.of(next, causes), FieldValue.of(current, causes), part == Part.APPROVAL);
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
