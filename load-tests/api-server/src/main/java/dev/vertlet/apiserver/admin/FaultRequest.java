package dev.vertlet.apiserver.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.apiserver.fault.FaultScript;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The body of a call that scripts a fault: checked as a whole before anything is in force. */
final class FaultRequest {
  private static final String ANY = "*";
  private static final List<String> VERBS =
      List.of(
          ANY, "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

  private final ObjectNode body;
  private final FaultAction action;

  private FaultRequest(ObjectNode body, FaultAction action) {
    this.body = body;
    this.action = action;
  }

  /**
   * @throws ApiException 400 that names the field, its value and what is allowed
   */
  static FaultRequest of(ObjectNode body, Resources resources) {
    Field.oneOf("action", FaultAction.words()).validate(body.path("action"));
    FaultAction action = FaultAction.of(body.path("action").asText()).orElseThrow();
    TreeMap<String, Field> known = new TreeMap<>();
    for (Field field : common(resources)) {
      known.put(field.name(), field);
    }
    for (Field field : action.fields()) {
      known.put(field.name(), field);
      field.validate(body.path(field.name()));
    }
    for (var entry : body.properties()) {
      Field field = known.get(entry.getKey());
      if (field == null) {
        throw ApiException.badRequest(
            "%s: unknown field with action \"%s\"; allowed: %s"
                .formatted(entry.getKey(), action.word(), String.join(", ", known.keySet())));
      }
      field.validate(entry.getValue());
    }
    return new FaultRequest(body.deepCopy(), action);
  }

  private static List<Field> common(Resources resources) {
    return List.of(
        Field.oneOf("action", FaultAction.words()),
        Field.oneOf("verb", VERBS),
        Field.oneOf("resource", words(resources)),
        Field.text("namespace"),
        Field.text("name"),
        Field.text("userAgent"),
        Field.number("after", 0, Integer.MAX_VALUE),
        Field.number("times", 1, Integer.MAX_VALUE),
        Field.number("seconds", 1, 86_400));
  }

  private static List<String> words(Resources resources) {
    List<String> words = new ArrayList<>(List.of(ANY));
    for (Resource resource : resources.all()) {
      String plural = resource.type().plural();
      if (!words.contains(plural)) {
        words.add(plural);
        resource.type().subresources().stream()
            .sorted()
            .forEach(subresource -> words.add(plural + "/" + subresource));
      }
    }
    return words;
  }

  /** Puts the fault in force. */
  Fault script(Faults faults) {
    FaultScript script = faults.on(text("verb"), text("resource"));
    if (body.has("namespace")) {
      script = script.in(text("namespace"));
    }
    if (body.has("name")) {
      script = script.named(text("name"));
    }
    if (body.has("userAgent")) {
      String part = text("userAgent");
      script = script.where(request -> request.userAgent().contains(part));
    }
    if (body.has("after")) {
      script = script.after(body.path("after").asInt());
    }
    if (body.has("times")) {
      script = script.times(body.path("times").asInt());
    }
    if (body.has("seconds")) {
      script = script.lasting(Duration.ofSeconds(body.path("seconds").asLong()));
    }
    return action.script(script, body);
  }

  private String text(String field) {
    return body.path(field).asText(ANY);
  }

  /** The request as it was written. */
  JsonNode json() {
    return body;
  }
}
