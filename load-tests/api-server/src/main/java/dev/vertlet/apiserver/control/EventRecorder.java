package dev.vertlet.apiserver.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.Timestamps;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Instant;

/** Writes Events in the name of one component. */
public final class EventRecorder {
  private final Cluster cluster;
  private final String component;
  private long sequence;

  public EventRecorder(Cluster cluster, String component) {
    this.cluster = cluster;
    this.component = component;
  }

  /** An Event as the older recorder writes it, which controllers use. */
  public void record(
      Resource resource, StoredObject about, String type, String reason, String message) {
    Instant now = cluster.clock().instant();
    ObjectNode event = event(resource, about, type, reason, message, now);
    event.putObject("source").put("component", component);
    event.put("firstTimestamp", Timestamps.seconds(now));
    event.put("lastTimestamp", Timestamps.seconds(now));
    event.put("count", 1);
    event.put("reportingComponent", component);
    create(event);
  }

  /** An Event as the newer recorder writes it, which the scheduler uses. */
  public void record(
      Resource resource,
      StoredObject about,
      String type,
      String reason,
      String action,
      String message) {
    Instant now = cluster.clock().instant();
    ObjectNode event = event(resource, about, type, reason, message, now);
    event.put("eventTime", Timestamps.micros(now));
    event.put("action", action);
    event.put("reportingComponent", component);
    event.put("reportingInstance", component + "-embedded");
    create(event);
  }

  private ObjectNode event(
      Resource resource,
      StoredObject about,
      String type,
      String reason,
      String message,
      Instant now) {
    ObjectNode event = Json.object();
    String suffix = Long.toHexString(now.toEpochMilli() * 1_000_000 + sequence++ % 1_000_000);
    event.putObject("metadata").put("name", about.name() + "." + suffix);
    ObjectNode reference = event.putObject("involvedObject");
    reference.put("kind", resource.type().kind());
    if (resource.type().namespaced()) {
      reference.put("namespace", about.namespace());
    }
    return event
        .put("type", type)
        .put("reason", reason)
        .put("message", message)
        .set(
            "involvedObject",
            reference
                .put("name", about.name())
                .put("uid", about.uid())
                .put("apiVersion", resource.type().apiVersion())
                .put("resourceVersion", Json.text(about.json(), "metadata", "resourceVersion")));
  }

  /** An Event about a cluster-scoped object lives in {@code default}. */
  private void create(ObjectNode event) {
    String about = Json.text(event, "involvedObject", "namespace");
    cluster.create(cluster.resource("events"), about.isEmpty() ? "default" : about, event);
  }
}
