package dev.vertlet.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategic merge patch that takes a pod's status from what the API server holds to what is
 * wanted, and the question whether one is needed.
 *
 * <p>Only fields that differ are written. The UID is always written, so a pod of the same name that
 * came after cannot be hit: the server answers 422, {@code metadata.uid: field is immutable}.
 * Conditions merge by type: those that {@code wanted} does not name stay as they are, but for the
 * two that tell of a resize: whoever runs the pod owns them, and they go when the resize is over.
 */
public final class StatusPatch {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** A patch of one container with its conditions fits without growing. */
  private static final int TYPICAL_BYTES = 1024;

  /** A resize that the node has not granted. */
  public static final String RESIZE_PENDING = "PodResizePending";

  /** A resize that was granted and is not done yet. */
  public static final String RESIZE_IN_PROGRESS = "PodResizeInProgress";

  private StatusPatch() {}

  /**
   * True when {@code wanted} is not yet what the API server holds. Times count at whole seconds; an
   * empty string counts as absent; conditions only in {@code known} do not count, but those of a
   * resize do. Without an observedGeneration in {@code wanted} any will do, because the server lets
   * no client remove one; likewise resources of the pod as a whole. Resources and users that {@code
   * known} lacks need no write of their own and are part of the next one: servers before 1.36 and
   * 1.33 keep none.
   */
  public static boolean needed(PodStatusView known, PodStatusView wanted) {
    return known != wanted
        && !(known.phase() == wanted.phase()
            && StatusEquality.text(known.reason(), wanted.reason())
            && StatusEquality.text(known.message(), wanted.message())
            && sameHost(known, wanted)
            && known.podIPs().equals(wanted.podIPs())
            && StatusEquality.time(known.startTime(), wanted.startTime())
            && StatusEquality.generation(known.observedGeneration(), wanted.observedGeneration())
            && (known.resources() == null
                || StatusEquality.resources(known.resources(), wanted.resources()))
            && wanted.conditions().stream().noneMatch(c -> differs(known, c))
            && known.conditions().stream().noneMatch(c -> isOver(c, wanted))
            && containersEqual(known, wanted));
  }

  /**
   * The body of a PATCH on {@code pods/status}, media type {@code
   * application/strategic-merge-patch+json}.
   *
   * @param known what the API server holds
   */
  public static Buffer encode(PodRef ref, PodStatusView known, PodStatusView wanted) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeObjectFieldStart("metadata");
      json.writeStringField("uid", ref.uid());
      json.writeEndObject();
      json.writeObjectFieldStart("status");
      writeScalars(json, known, wanted);
      writeConditions(json, known, wanted);
      writeContainers(json, known, wanted);
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return Buffer.buffer(bytes.toByteArray());
  }

  private static boolean sameHost(PodStatusView known, PodStatusView wanted) {
    return StatusEquality.text(known.hostIP(), wanted.hostIP())
        && known.otherHostIPs().equals(wanted.otherHostIPs());
  }

  private static boolean differs(PodStatusView known, ConditionView wanted) {
    ConditionView held = known.condition(wanted.type());
    return held == null || !StatusEquality.condition(held, wanted);
  }

  /** Tells of a resize that is over. */
  private static boolean isOver(ConditionView held, PodStatusView wanted) {
    boolean resize = held.type().equals(RESIZE_PENDING) || held.type().equals(RESIZE_IN_PROGRESS);
    return resize && wanted.condition(held.type()) == null;
  }

  private static boolean containersEqual(PodStatusView known, PodStatusView wanted) {
    return StatusEquality.containers(known.containerStatuses(), wanted.containerStatuses())
        && StatusEquality.containers(known.initContainerStatuses(), wanted.initContainerStatuses())
        && StatusEquality.containers(
            known.ephemeralContainerStatuses(), wanted.ephemeralContainerStatuses());
  }

  private static void writeScalars(JsonGenerator json, PodStatusView known, PodStatusView wanted)
      throws IOException {
    Long generation = wanted.observedGeneration();
    if (generation != null && !generation.equals(known.observedGeneration())) {
      json.writeNumberField("observedGeneration", generation);
    }

    if (known.phase() != wanted.phase()) {
      json.writeStringField("phase", wanted.phase().text());
    }
    writeText(json, "message", known.message(), wanted.message());
    writeText(json, "reason", known.reason(), wanted.reason());
    if (!sameHost(known, wanted)) {
      writeIps(json, "hostIP", "hostIPs", wanted.hostIPs(), known.hostIP() != null);
    }
    if (!known.podIPs().equals(wanted.podIPs())) {
      writeIps(json, "podIP", "podIPs", wanted.podIPs(), !known.podIPs().isEmpty());
    }
    if (!StatusEquality.time(known.startTime(), wanted.startTime())) {
      json.writeFieldName("startTime");
      StatusJson.time(json, wanted.startTime());
    }
    PodResourcesView resources = wanted.resources();
    if (resources != null && !StatusEquality.resources(known.resources(), resources)) {
      StatusJson.resources(json, resources, known.resources());
    }
  }

  private static void writeText(
      JsonGenerator json, String name, @Nullable String known, @Nullable String wanted)
      throws IOException {
    if (!StatusEquality.text(known, wanted)) {
      json.writeFieldName(name);
      StatusJson.text(json, wanted);
    }
  }

  /**
   * Address lists merge by address: without the directive a changed one would be appended to what
   * is there, and the server refuses two addresses of one family.
   */
  private static void writeIps(
      JsonGenerator json, String single, String list, List<String> ips, boolean replace)
      throws IOException {
    json.writeFieldName(single);
    StatusJson.text(json, ips.isEmpty() ? null : ips.get(0));
    json.writeArrayFieldStart(list);
    for (String ip : ips) {
      json.writeStartObject();
      json.writeStringField("ip", ip);
      json.writeEndObject();
    }
    if (replace) {
      json.writeStartObject();
      json.writeStringField("$patch", "replace");
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeConditions(JsonGenerator json, PodStatusView known, PodStatusView wanted)
      throws IOException {
    boolean open = false;
    for (ConditionView condition : wanted.conditions()) {
      if (differs(known, condition)) {
        open = begin(json, open);
        StatusJson.condition(json, condition, known.condition(condition.type()));
      }
    }
    for (ConditionView condition : known.conditions()) {
      if (isOver(condition, wanted)) {
        open = begin(json, open);
        StatusJson.conditionGone(json, condition.type());
      }
    }
    if (open) {
      json.writeEndArray();
    }
  }

  private static boolean begin(JsonGenerator json, boolean open) throws IOException {
    if (!open) {
      json.writeArrayFieldStart("conditions");
    }
    return true;
  }

  private static void writeContainers(JsonGenerator json, PodStatusView known, PodStatusView wanted)
      throws IOException {
    writeList(
        json,
        "initContainerStatuses",
        known.initContainerStatuses(),
        wanted.initContainerStatuses(),
        wanted.tokenVolume());
    writeList(
        json,
        "containerStatuses",
        known.containerStatuses(),
        wanted.containerStatuses(),
        wanted.tokenVolume());
    writeList(
        json,
        "ephemeralContainerStatuses",
        known.ephemeralContainerStatuses(),
        wanted.ephemeralContainerStatuses(),
        wanted.tokenVolume());
  }

  /** These lists are atomic: one difference, and the whole list is written. */
  private static void writeList(
      JsonGenerator json,
      String name,
      List<ContainerStatusView> known,
      List<ContainerStatusView> wanted,
      int token)
      throws IOException {
    if (StatusEquality.containers(known, wanted)) {
      return;
    }
    json.writeArrayFieldStart(name);
    for (ContainerStatusView container : wanted) {
      StatusJson.container(json, container, token);
    }
    json.writeEndArray();
  }
}
