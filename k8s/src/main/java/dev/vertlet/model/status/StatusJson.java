package dev.vertlet.model.status;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.vertlet.model.Timestamps;
import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.TokenVolume;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the parts of a pod status in the API's JSON. */
final class StatusJson {
  private StatusJson() {}

  /**
   * Writes the value of a field; an absent value is null, which removes the field in a merge patch.
   */
  static void text(JsonGenerator json, @Nullable String text) throws IOException {
    if (text == null || text.isEmpty()) {
      json.writeNull();
    } else {
      json.writeString(text);
    }
  }

  static void time(JsonGenerator json, @Nullable Instant time) throws IOException {
    if (time == null) {
      json.writeNull();
    } else {
      json.writeString(Timestamps.format(time));
    }
  }

  /**
   * Writes an element of {@code conditions}, which merges into {@code held}: fields that are no
   * longer wanted are written as null.
   */
  static void condition(JsonGenerator json, ConditionView condition, @Nullable ConditionView held)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("type", condition.type());
    Long generation = condition.observedGeneration();
    if (generation != null) {
      json.writeNumberField("observedGeneration", generation);
    }
    json.writeStringField("status", condition.status());
    json.writeNullField("lastProbeTime");
    json.writeFieldName("lastTransitionTime");
    time(json, condition.lastTransitionTime());
    merged(json, "reason", condition.reason(), held == null ? null : held.reason());
    merged(json, "message", condition.message(), held == null ? null : held.message());
    json.writeEndObject();
  }

  /** Writes an element of a list of container statuses, which replaces the whole list. */
  static void container(JsonGenerator json, ContainerStatusView container, int token)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", container.name());
    state(json, "state", container.state());
    state(json, "lastState", container.lastState());
    json.writeBooleanField("ready", container.ready());
    json.writeNumberField("restartCount", container.restartCount());
    json.writeStringField("image", container.image());
    json.writeStringField("imageID", container.imageId());
    present(json, "containerID", container.containerId());
    Boolean started = container.started();
    if (started != null) {
      json.writeBooleanField("started", started);
    }
    quantities(json, "allocatedResources", container.allocatedResources());
    ResourcesView resources = container.resources();
    if (resources != null) {
      json.writeObjectFieldStart("resources");
      quantities(json, "limits", resources.limits());
      quantities(json, "requests", resources.requests());
      json.writeEndObject();
    }
    mounts(json, container.mounts().mounts(), token);
    user(json, container.user());
    json.writeEndObject();
  }

  /**
   * Writes pod-level resources, which merge into {@code held} by name: resources that are no longer
   * wanted are written as null.
   */
  static void resources(
      JsonGenerator json, PodResourcesView wanted, @Nullable PodResourcesView held)
      throws IOException {
    PodResourcesView before = held == null ? PodResourcesView.NONE : held;
    merged(json, "allocatedResources", wanted.allocated(), before.allocated());
    json.writeObjectFieldStart("resources");
    merged(json, "limits", wanted.applied().limits(), before.applied().limits());
    merged(json, "requests", wanted.applied().requests(), before.applied().requests());
    json.writeEndObject();
  }

  private static void merged(
      JsonGenerator json, String name, Map<String, String> wanted, Map<String, String> held)
      throws IOException {
    if (wanted.equals(held)) {
      return;
    }
    if (wanted.isEmpty()) {
      json.writeNullField(name);
      return;
    }
    json.writeObjectFieldStart(name);
    for (var quantity : wanted.entrySet()) {
      json.writeStringField(quantity.getKey(), quantity.getValue());
    }
    for (String gone : held.keySet()) {
      if (!wanted.containsKey(gone)) {
        json.writeNullField(gone);
      }
    }
    json.writeEndObject();
  }

  private static void user(JsonGenerator json, @Nullable ContainerUserView user)
      throws IOException {
    if (user == null) {
      return;
    }
    json.writeObjectFieldStart("user");
    json.writeObjectFieldStart("linux");
    json.writeNumberField("uid", user.uid());
    json.writeNumberField("gid", user.gid());
    if (!user.supplementalGroups().isEmpty()) {
      json.writeArrayFieldStart("supplementalGroups");
      for (long group : user.supplementalGroups()) {
        json.writeNumber(group);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void mounts(JsonGenerator json, List<MountsView.Mount> mounts, int token)
      throws IOException {
    if (mounts.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("volumeMounts");
    for (MountsView.Mount mount : mounts) {
      json.writeStartObject();
      json.writeStringField("name", TokenVolume.name(mount.volume(), token));
      json.writeStringField("mountPath", mount.path());
      if (mount.readOnly()) {
        json.writeBooleanField("readOnly", true);
        json.writeStringField("recursiveReadOnly", mount.recursive() ? "Enabled" : "Disabled");
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void quantities(JsonGenerator json, String name, Map<String, String> quantities)
      throws IOException {
    if (quantities.isEmpty()) {
      return;
    }
    json.writeObjectFieldStart(name);
    for (var quantity : quantities.entrySet()) {
      json.writeStringField(quantity.getKey(), quantity.getValue());
    }
    json.writeEndObject();
  }

  /** Writes an element of {@code conditions} that deletes the one of its type. */
  static void conditionGone(JsonGenerator json, String type) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", type);
    json.writeStringField("$patch", "delete");
    json.writeEndObject();
  }

  private static void state(JsonGenerator json, String name, @Nullable ContainerStateView state)
      throws IOException {
    if (state == null) {
      return;
    }
    json.writeObjectFieldStart(name);
    if (state instanceof Waiting waiting) {
      json.writeObjectFieldStart("waiting");
      present(json, "reason", waiting.reason());
      present(json, "message", waiting.message());
    } else if (state instanceof Running running) {
      json.writeObjectFieldStart("running");
      present(json, "startedAt", running.startedAt());
    } else if (state instanceof Terminated terminated) {
      json.writeObjectFieldStart("terminated");
      terminated(json, terminated);
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void terminated(JsonGenerator json, Terminated terminated) throws IOException {
    json.writeNumberField("exitCode", terminated.exitCode());
    if (terminated.signal() != 0) {
      json.writeNumberField("signal", terminated.signal());
    }
    present(json, "reason", terminated.reason());
    present(json, "message", terminated.message());
    present(json, "startedAt", terminated.startedAt());
    present(json, "finishedAt", terminated.finishedAt());
    present(json, "containerID", terminated.containerId());
  }

  private static void merged(
      JsonGenerator json, String name, @Nullable String text, @Nullable String held)
      throws IOException {
    if (!StatusEquality.text(text, null) || !StatusEquality.text(held, null)) {
      json.writeFieldName(name);
      text(json, text);
    }
  }

  private static void present(JsonGenerator json, String name, @Nullable String text)
      throws IOException {
    if (text != null && !text.isEmpty()) {
      json.writeStringField(name, text);
    }
  }

  private static void present(JsonGenerator json, String name, @Nullable Instant time)
      throws IOException {
    if (time != null) {
      json.writeStringField(name, Timestamps.format(time));
    }
  }
}
