package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.EventRules;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.MetadataRules.Names;
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

  private final boolean modern;

  /**
   * @param modern whether events come through {@code events.k8s.io}, which asks for more
   */
  EventStrategy(boolean modern) {
    this.modern = modern;
  }

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
  public Names names() {
    return modern ? Names.SUBDOMAIN : Names.PATH_SEGMENT;
  }

  @Override
  public boolean knowsFinalizers() {
    return modern;
  }

  @Override
  public void validate(ObjectNode event, Causes causes) {
    FieldValue value = FieldValue.of(event, causes);
    EventRules.any(value, reporter());
    if (modern) {
      EventRules.created(value);
    }
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    FieldValue value = FieldValue.of(next, causes);
    EventRules.any(value, reporter());
    if (modern) {
      EventRules.updated(value, FieldValue.of(current, causes));
    }
  }

  private String reporter() {
    return modern ? "reportingController" : "reportingComponent";
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
