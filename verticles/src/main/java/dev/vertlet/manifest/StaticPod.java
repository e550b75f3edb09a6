package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.PodDecoder;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A pod out of a manifest, complete: what the agent runs, and what its mirror in the API server is
 * made of. Immutable; each method gives a changed copy.
 */
public final class StaticPod {
  /** Where a pod comes from: {@code file}, {@code http}, or {@code api} for all others. */
  public static final String SOURCE = "kubernetes.io/config.source";

  /** The static pod's UID, which tells its versions apart. */
  public static final String HASH = "kubernetes.io/config.hash";

  /** When the agent first saw it. */
  public static final String SEEN = "kubernetes.io/config.seen";

  /** On a mirror pod: {@link #HASH} of the static pod that it shows. */
  public static final String MIRROR = "kubernetes.io/config.mirror";

  private static final PodDecoder DECODER = new PodDecoder();

  private final ObjectNode object;
  private final PodView view;

  private StaticPod(ObjectNode object, PodView view) {
    this.object = object;
    this.view = view;
  }

  /**
   * @param object not changed any more
   */
  static StaticPod of(ObjectNode object) throws ManifestException {
    try {
      return new StaticPod(object, decode(object));
    } catch (DecodeException e) {
      // the reader counts bytes of what was made of the manifest: they would lead nobody anywhere
      String what = String.valueOf(e.getMessage());
      throw new ManifestException(
          "invalid pod: " + what.replaceFirst("^malformed JSON at byte \\d+: ", ""));
    }
  }

  /** As a watch would deliver it, with resourceVersion 0: the API server never saw it. */
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

  /** The whole pod as JSON. */
  public Buffer json() {
    return Buffer.buffer(object.toString());
  }

  /** Name and namespace, as a kubelet writes them: two static pods cannot share them. */
  public String fullName() {
    return view.name() + "_" + view.namespace();
  }

  /** {@code file} or {@code http}. */
  String source() {
    return view.annotations().getOrDefault(SOURCE, "");
  }

  /** With the time at which the agent first saw it. */
  StaticPod seen(Instant at) {
    return seen(at.toString());
  }

  /** With the time at which that one was first seen. */
  StaticPod seenAs(StaticPod known) {
    return seen(known.view.annotations().getOrDefault(SEEN, ""));
  }

  private StaticPod seen(String at) {
    ObjectNode metadata = shallow(object.path("metadata"));
    ObjectNode annotations = shallow(metadata.path("annotations")).put(SEEN, at);
    metadata.set("annotations", annotations);
    return new StaticPod(with(metadata), view.withAnnotation(SEEN, at));
  }

  /** As one that somebody deletes now, with the grace that its spec asks for. */
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
   * The object by which the API server shows this pod.
   *
   * @param nodeUid UID of the Node, which owns it: it goes with its node
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

  /** This one with other metadata; what lies deeper is shared, as nobody changes it. */
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
