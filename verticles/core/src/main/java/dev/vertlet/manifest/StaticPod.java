package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A complete pod from a manifest: what the agent runs, and the template of its mirror pod.
 * Immutable; each method returns a changed copy.
 */
public final class StaticPod {
  /** Source of a pod: {@code file}, {@code http}, or {@code api} for all others. */
  public static final String SOURCE = "kubernetes.io/config.source";

  /** UID of the static pod, which identifies its version. */
  public static final String HASH = "kubernetes.io/config.hash";

  /** When the agent first saw the pod. */
  public static final String SEEN = "kubernetes.io/config.seen";

  /** On a mirror pod: {@link #HASH} of its static pod. */
  public static final String MIRROR = "kubernetes.io/config.mirror";

  private static final PodDecoder DECODER = new PodDecoder();

  private final ObjectNode object;
  private final PodView view;

  private StaticPod(ObjectNode object, PodView view) {
    this.object = object;
    this.view = view;
  }

  /**
   * Wraps a pod.
   *
   * @param object must not be changed any more
   */
  static StaticPod of(ObjectNode object) throws ManifestException {
    try {
      return new StaticPod(object, decode(object));
    } catch (DecodeException e) {
      // byte positions refer to the converted text, not to the manifest
      String what = String.valueOf(e.getMessage());
      throw new ManifestException(
          "invalid pod: " + what.replaceFirst("^malformed JSON at byte \\d+: ", ""));
    }
  }

  /**
   * Decodes the pod as a watch would deliver it, with resourceVersion 0: the API server never had
   * it.
   */
  private static PodView decode(ObjectNode object) {
    ObjectNode pod = object.deepCopy();
    pod.withObjectProperty("metadata").put("resourceVersion", "0");
    pod.remove("status");
    ObjectNode event = pod.objectNode().put("type", "ADDED");
    event.set("object", pod);
    Buffer frame = Buffer.buffer(event.toString());
    if (DECODER.decodeEvent(PodDecoder.WATCH_JSON, frame)
        instanceof WatchEvent.Upsert<PodView> upsert) {
      return upsert.object();
    }
    throw new DecodeException("not a pod");
  }

  public PodView view() {
    return view;
  }

  public PodRef ref() {
    return view.ref();
  }

  /** Whole pod as JSON. */
  public Buffer json() {
    return Buffer.buffer(object.toString());
  }

  /** Name and namespace in a kubelet's form; unique among static pods. */
  public String fullName() {
    return view.name() + "_" + view.namespace();
  }

  /** {@code file} or {@code http}. */
  String source() {
    return view.annotations().getOrDefault(SOURCE, "");
  }

  /** Sets the time at which the agent first saw the pod. */
  StaticPod seen(Instant at) {
    return seen(at.toString());
  }

  /** Copies the time at which {@code known} was first seen. */
  StaticPod seenAs(StaticPod known) {
    return seen(known.view.annotations().getOrDefault(SEEN, ""));
  }

  private StaticPod seen(String at) {
    ObjectNode metadata = shallow(object.path("metadata"));
    ObjectNode annotations = shallow(metadata.path("annotations")).put(SEEN, at);
    metadata.set("annotations", annotations);
    return new StaticPod(with(metadata), view.withAnnotation(SEEN, at));
  }

  /** Sets the deletion timestamp, with the grace period of the spec. */
  StaticPod ending(Instant now) {
    long grace = Math.max(1, view.spec().terminationGracePeriodSeconds());
    Instant end = now.plusSeconds(grace).truncatedTo(ChronoUnit.SECONDS);
    ObjectNode metadata =
        shallow(object.path("metadata"))
            .put("deletionTimestamp", end.toString())
            .put("deletionGracePeriodSeconds", grace);
    return new StaticPod(with(metadata), view.deleted(end, grace));
  }

  /**
   * Returns the mirror pod of this pod.
   *
   * @param nodeUid UID of the Node, its owner: the mirror is deleted with its node
   */
  public Buffer mirror(String nodeUid) {
    ObjectNode metadata = shallow(object.path("metadata"));
    metadata.remove("uid");
    metadata.set("annotations", shallow(metadata.path("annotations")).put(MIRROR, view.uid()));
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", view.nodeName())
        .put("uid", nodeUid)
        .put("controller", true);
    ObjectNode mirror = with(metadata);
    mirror.remove("status");
    return Buffer.buffer(mirror.toString());
  }

  /** Replaces the metadata; deeper fields are shared, as they are never changed. */
  private ObjectNode with(ObjectNode metadata) {
    ObjectNode pod = shallow(object);
    pod.set("metadata", metadata);
    return pod;
  }

  private static ObjectNode shallow(JsonNode object) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    object.fields().forEachRemaining(field -> copy.set(field.getKey(), field.getValue()));
    return copy;
  }

  @Override
  public String toString() {
    return fullName() + "(" + view.uid() + ")";
  }
}
