package dev.vertlet.events;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.events.EventCorrelator.Series;
import dev.vertlet.model.Timestamps;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** Encodes Event objects, {@code core/v1}, with the fields that a kubelet sets. */
final class EventObject {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Component name of kubelets. */
  private static final String COMPONENT = "kubelet";

  /** The API server rejects longer messages. */
  private static final int MAX_MESSAGE = 1024;

  private EventObject() {}

  /** Namespace of an Event; those about cluster-scoped objects are in {@code default}. */
  static String namespace(ObjectEvent event) {
    return event.namespace().isEmpty() ? "default" : event.namespace();
  }

  static Buffer create(ObjectEvent event, Series series) {
    ObjectNode json = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Event");
    json.putObject("metadata").put("name", series.name()).put("namespace", namespace(event));
    ObjectNode about = json.putObject("involvedObject");
    about.put("apiVersion", event.apiVersion()).put("kind", event.kind()).put("name", event.name());
    about.put("uid", event.uid());
    if (!event.namespace().isEmpty()) {
      about.put("namespace", event.namespace());
    }
    if (!event.fieldPath().isEmpty()) {
      about.put("fieldPath", event.fieldPath());
    }
    json.put("type", event.type()).put("reason", event.reason());
    json.put("message", cut(series.message()));
    json.putObject("source").put("component", COMPONENT).put("host", event.node());
    json.put("reportingComponent", COMPONENT).put("reportingInstance", event.node());
    json.put("firstTimestamp", Timestamps.format(series.first()));
    json.put("lastTimestamp", Timestamps.format(series.last()));
    json.put("count", series.count());
    return bytes(json);
  }

  /** Returns a merge patch for a further occurrence. */
  static Buffer again(Series series) {
    ObjectNode json = JSON.createObjectNode().put("count", series.count());
    if (series.combined()) {
      json.put("message", cut(series.message()));
    }
    json.put("lastTimestamp", Timestamps.format(series.last()));
    return bytes(json);
  }

  private static String cut(String message) {
    return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE);
  }

  private static Buffer bytes(ObjectNode json) {
    return Buffer.buffer(json.toString().getBytes(StandardCharsets.UTF_8));
  }
}
