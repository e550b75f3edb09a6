package dev.vertlet.tck;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Pod as the API server holds it. Each method returns a changed copy with a newer resourceVersion.
 * Immutable.
 */
public final class TckPod {
  private static final AtomicLong VERSIONS = new AtomicLong();
  private static final PodDecoder DECODER = new PodDecoder();

  private final JsonObject json;
  private final @Nullable PodStatusView status;

  private TckPod(JsonObject json, @Nullable PodStatusView status) {
    this.json = json;
    this.status = status;
    metadata().put("resourceVersion", Long.toString(VERSIONS.incrementAndGet()));
  }

  /**
   * Creates a pod with its own UID, bound to a node.
   *
   * @param spec without {@code nodeName}
   */
  static TckPod of(String name, String node, JsonObject spec) {
    JsonObject metadata =
        new JsonObject()
            .put("name", name)
            .put("namespace", "default")
            .put("uid", UUID.randomUUID().toString())
            .put("generation", 1)
            .put("creationTimestamp", now())
            .put("labels", new JsonObject())
            .put("annotations", new JsonObject());
    JsonObject bound =
        new JsonObject()
            .put("restartPolicy", "Always")
            .put("terminationGracePeriodSeconds", 30)
            .mergeIn(spec, true)
            .put("nodeName", node);
    JsonObject json =
        new JsonObject()
            .put("apiVersion", "v1")
            .put("kind", "Pod")
            .put("metadata", metadata)
            .put("spec", bound)
            .put("status", new JsonObject().put("phase", "Pending"));
    return new TckPod(json, null);
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private JsonObject metadata() {
    return json.getJsonObject("metadata");
  }

  public TckPod annotated(String key, String value) {
    TckPod changed = copy(status);
    changed.metadata().getJsonObject("annotations").put(key, value);
    return changed;
  }

  public TckPod labelled(String key, String value) {
    TckPod changed = copy(status);
    changed.metadata().getJsonObject("labels").put(key, value);
    return changed;
  }

  /** Returns the pod with a deletion timestamp. */
  public TckPod deleted(long graceSeconds) {
    TckPod changed = copy(status);
    changed
        .metadata()
        .put("deletionGracePeriodSeconds", graceSeconds)
        .put(
            "deletionTimestamp",
            Instant.now().plusSeconds(graceSeconds).truncatedTo(ChronoUnit.SECONDS).toString());
    return changed;
  }

  /** Returns the pod with a status that a provider reported, as the API server then holds it. */
  public TckPod with(PodStatusView reported) {
    return copy(reported);
  }

  private TckPod copy(@Nullable PodStatusView newStatus) {
    return new TckPod(json.copy(), newStatus);
  }

  public PodRef ref() {
    return new PodRef(
        metadata().getString("namespace"),
        metadata().getString("name"),
        metadata().getString("uid"));
  }

  /** The API object, without the status that a provider reported. */
  public JsonObject json() {
    return json.copy();
  }

  /** The pod's definition, as vertlet reads it for a start. */
  PodDefinition definition() {
    return PodDefinition.read(json.toBuffer());
  }

  /** The pod as a watch delivers it. */
  public PodView view() {
    JsonObject event = new JsonObject().put("type", "MODIFIED").put("object", json);
    if (DECODER.decodeEvent(PodDecoder.WATCH_JSON, event.toBuffer())
        instanceof WatchEvent.Upsert<PodView> upsert) {
      return status == null ? upsert.object() : with(upsert.object(), status);
    }
    throw new IllegalArgumentException("not a pod: " + json.encode());
  }

  private static PodView with(PodView view, PodStatusView status) {
    return new PodView(
        view.ref(),
        view.resourceVersion(),
        view.generation(),
        view.nodeName(),
        view.labels(),
        view.annotations(),
        view.controllerKind(),
        view.creationTimestamp(),
        view.deletionTimestamp(),
        view.deletionGracePeriodSeconds(),
        view.spec(),
        status);
  }
}
