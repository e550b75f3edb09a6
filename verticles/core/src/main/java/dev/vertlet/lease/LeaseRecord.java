package dev.vertlet.lease;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.Timestamps;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A Lease as the API server holds it. Keeps the whole object, because a renewal replaces it and
 * must preserve what others wrote.
 */
final class LeaseRecord {
  /**
   * Names the agent that serves the node; {@code holderIdentity} is the node's name, as kubelets
   * write it.
   */
  static final String AGENT_ANNOTATION = "vertlet.dev/agent";

  /**
   * The {@code renewTime} that the agent wrote. If the spec has another value, a client without
   * knowledge of these annotations, for example a kubelet, has renewed the lease since.
   */
  static final String RENEWAL_ANNOTATION = "vertlet.dev/agent-renew-time";

  /** The {@code renewTime} with which one agent handed the lease over to another. */
  static final String HANDOVER_ANNOTATION = "vertlet.dev/agent-handover-time";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode lease;

  private LeaseRecord(ObjectNode lease) {
    this.lease = lease;
  }

  static LeaseRecord decode(Buffer json) {
    try {
      if (JSON.readTree(json.getBytes()) instanceof ObjectNode object) {
        return of(object);
      }
      throw new DecodeException("a Lease must be a JSON object");
    } catch (IOException e) {
      throw new DecodeException("malformed Lease", e);
    }
  }

  /**
   * Takes a lease of the API server.
   *
   * @param object is not changed by others from now on; lists leave out its kind
   */
  static LeaseRecord of(ObjectNode object) {
    object.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    if (object.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields"); // the server maintains it; renewals do not need it
    }
    return new LeaseRecord(object);
  }

  static LeaseRecord create(String node) {
    ObjectNode lease = JSON.createObjectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", node).put("namespace", "kube-node-lease");
    lease.putObject("spec");
    return new LeaseRecord(lease);
  }

  String holder() {
    return lease.path("spec").path("holderIdentity").asText("");
  }

  /** As written in the spec; empty in a lease that was never renewed. */
  String renewTime() {
    return lease.path("spec").path("renewTime").asText("");
  }

  String agent() {
    return annotation(AGENT_ANNOTATION);
  }

  /**
   * Whether the agent in the annotation wrote the lease last. Kubelets renew an existing lease
   * without regard to its annotations, or even its holder.
   */
  private boolean sealed() {
    return !agent().isEmpty() && renewTime().equals(annotation(RENEWAL_ANNOTATION));
  }

  private String annotation(String key) {
    return lease.path("metadata").path("annotations").path(key).asText("");
  }

  /** Name of the holder for people. */
  String describeHolder() {
    if (sealed()) {
      return "agent " + agent();
    }
    return holder().isEmpty() ? "somebody who gives no name" : holder();
  }

  /** Time of the last renewal; the past for a lease that was never renewed. */
  Instant renewed() {
    String time = renewTime();
    return time.isEmpty() ? Instant.EPOCH : Timestamps.parse(time);
  }

  /** When the lease expires without renewal; the past for a lease that was never renewed. */
  Instant expiry() {
    return renewed().plus(duration());
  }

  /** Validity without a renewal; zero if the lease names none. */
  Duration duration() {
    return Duration.ofSeconds(lease.path("spec").path("leaseDurationSeconds").asLong(0));
  }

  /** Whether {@code identity} held the lease last, released or not. */
  boolean lastHeldBy(String node, String identity) {
    boolean own = holder().isEmpty() || holder().equals(node);
    return own && agent().equals(identity) && sealed();
  }

  /**
   * Whether the lease was handed over and its new agent has not renewed it yet: no agent serves the
   * node.
   */
  boolean handedOver() {
    return sealed() && renewTime().equals(annotation(HANDOVER_ANNOTATION));
  }

  /** Whether the lease has no holder and no client renews it without a name. */
  boolean released() {
    return holder().isEmpty() && (agent().isEmpty() || sealed());
  }

  String uid() {
    return lease.path("metadata").path("uid").asText("");
  }

  /** Returns the lease renewed by {@code identity}, with a transition if another holder had it. */
  LeaseRecord renewed(
      String node, String identity, @Nullable String nodeUid, Duration duration, Instant now) {
    ObjectNode next = lease.deepCopy();
    ObjectNode spec = object(next, "spec");
    ObjectNode annotations = object(object(next, "metadata"), "annotations");
    boolean takenOver = spec.has("renewTime") && !lastHeldBy(node, identity);
    if (takenOver) {
      spec.put("leaseTransitions", spec.path("leaseTransitions").asInt(0) + 1);
    }
    if (takenOver || !spec.has("acquireTime")) {
      spec.put("acquireTime", Timestamps.formatMicro(now));
    }
    spec.put("holderIdentity", node);
    spec.put("leaseDurationSeconds", duration.toSeconds());
    spec.put("renewTime", Timestamps.formatMicro(now));
    annotations.put(AGENT_ANNOTATION, identity);
    annotations.put(RENEWAL_ANNOTATION, Timestamps.formatMicro(now));
    annotations.remove(HANDOVER_ANNOTATION);
    if (nodeUid != null) {
      own(object(next, "metadata"), node, nodeUid);
    }
    return new LeaseRecord(next);
  }

  /** Returns the lease handed over to {@code heir}, which may serve the node immediately. */
  LeaseRecord handedTo(
      String heir, String node, @Nullable String nodeUid, Duration duration, Instant now) {
    LeaseRecord given = renewed(node, heir, nodeUid, duration, now);
    object(object(given.lease, "metadata"), "annotations")
        .put(HANDOVER_ANNOTATION, given.renewTime());
    return given;
  }

  /**
   * Body that releases the lease: any agent may take it immediately. The annotation stays: an agent
   * that finds its own name knows that no other agent has served the node since.
   */
  Buffer release() {
    ObjectNode next = lease.deepCopy();
    object(next, "spec").remove("holderIdentity");
    return new LeaseRecord(next).body();
  }

  /** Takes the resourceVersion and UID of the answer after a write. */
  LeaseRecord confirmed(ObjectMeta answer) {
    object(lease, "metadata")
        .put("resourceVersion", Long.toString(answer.resourceVersion()))
        .put("uid", answer.uid());
    return this;
  }

  private static void own(ObjectNode metadata, String node, String uid) {
    var owners = metadata.withArrayProperty("ownerReferences");
    for (int i = owners.size() - 1; i >= 0; i--) {
      if (isNode(owners.get(i))) {
        owners.remove(i);
      }
    }
    owners
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", node)
        .put("uid", uid);
  }

  private static ObjectNode object(ObjectNode parent, String field) {
    return parent.withObjectProperty(field);
  }

  /** Whether its owner reference names a Node with another UID. */
  boolean ownedByOther(String uid) {
    for (JsonNode owner : lease.path("metadata").path("ownerReferences")) {
      if (isNode(owner) && !owner.path("uid").asText().equals(uid)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNode(JsonNode owner) {
    return owner.path("kind").asText().equals("Node");
  }

  /** Body of a write. */
  Buffer body() {
    try {
      return Buffer.buffer(JSON.writeValueAsBytes(lease));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }
}
