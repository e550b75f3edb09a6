package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import java.util.List;
import java.util.Set;

/** Events, for both API groups. */
final class EventStrategy implements Strategy {
  private static final Set<String> LABELS =
      Set.of(
          "involvedObject.kind",
          "involvedObject.namespace",
          "involvedObject.name",
          "involvedObject.uid",
          "involvedObject.apiVersion",
          "involvedObject.resourceVersion",
          "involvedObject.fieldPath",
          "reason",
          "reportingComponent",
          "source",
          "type");

  @Override
  public void applyDefaults(ObjectNode event) {
    Json.child(event, "involvedObject");
    Json.child(event, "source");
    for (String time : List.of("firstTimestamp", "lastTimestamp", "eventTime")) {
      if (!event.has(time)) {
        event.putNull(time);
      }
    }
    for (String text : List.of("reportingComponent", "reportingInstance")) {
      if (!event.has(text)) {
        event.put(text, "");
      }
    }
  }

  @Override
  public void validate(ObjectNode event, Causes causes) {
    String about = Json.text(event, "involvedObject", "namespace");
    String home = Json.text(event, "metadata", "namespace");
    // an event about a cluster-scoped object lives in "default"
    if (!about.equals(home) && !(about.isEmpty() && home.equals("default"))) {
      causes.invalid(
          "involvedObject.namespace", '"' + about + '"', "does not match event.namespace");
    }
  }

  @Override
  public boolean createsOnUpdate() {
    return true;
  }

  @Override
  public Set<String> fieldLabels() {
    return LABELS;
  }

  @Override
  public String field(ObjectNode event, String label) {
    if (label.equals("source")) {
      String component = Json.text(event, "source", "component");
      return component.isEmpty() ? Json.text(event, "reportingComponent") : component;
    }
    return FieldPaths.text(event, label);
  }

  @Override
  public ApiException unknownFieldLabel(ResourceType type, String label) {
    return ApiException.badRequest("field label not supported: " + label);
  }

  @Override
  public ObjectNode zeroValue() {
    ObjectNode zero = Json.object();
    applyDefaults(zero);
    return zero;
  }
}
