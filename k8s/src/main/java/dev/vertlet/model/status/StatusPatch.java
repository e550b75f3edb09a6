package dev.vertlet.model.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.vertlet.model.PodRef;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategic merge patch from a pod's status on the API server to the wanted one, and whether it
 * is needed.
 *
 * <p>Only fields that differ are written. The UID is always written, so that a later pod of the
 * same name cannot be changed: the server answers 422, {@code metadata.uid: field is immutable}.
 * Conditions merge by type: those that {@code wanted} lacks stay unchanged, except for the two
 * resize conditions, which vertlet owns and removes when the resize is over.
 */
public final class StatusPatch {
  private static final JsonFactory FACTORY = new JsonFactory();

  /** Size that a patch of one container with its conditions does not exceed. */
  private static final int TYPICAL_BYTES = 1024;

  /** Condition of a resize that the node has not granted. */
  public static final String RESIZE_PENDING = "PodResizePending";

  /** Condition of a resize that is granted and not complete yet. */
  public static final String RESIZE_IN_PROGRESS = "PodResizeInProgress";

  private StatusPatch() {}

  /**
   * Whether {@code wanted} differs from the status on the API server. Times are compared in whole
   * seconds; an empty string counts as absent; conditions only in {@code known} are ignored, except
   * resize conditions. A missing observedGeneration in {@code wanted} equals any, because the
   * server lets no client remove it; likewise pod-level resources. Resources and users that {@code
   * known} lacks cause no write of their own, but are part of the next one: servers before 1.36 and
   * 1.33 do not keep them.
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
   * Encodes the body of a PATCH on {@code pods/status}, media type {@code
   * application/strategic-merge-patch+json}.
   *
   * @param known status on the API server
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

  /** Whether the condition is that of a resize that is over. */
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
   * Replaces an address list, which the server would otherwise merge by address: a changed address
   * would be appended, and the server rejects two addresses of one family.
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

  /** Writes a list of container statuses as a whole if it differs: these lists are atomic. */
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
