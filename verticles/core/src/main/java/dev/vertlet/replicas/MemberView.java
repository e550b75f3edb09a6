package dev.vertlet.replicas;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.KubeObject;
import dev.vertlet.model.Timestamps;
import java.time.Duration;
import java.time.Instant;

/**
 * A member's Lease.
 *
 * @param identity empty if the Lease was released
 * @param nodes digest of the names of the nodes that the member divides
 * @param renewed time of the last renewal; the past without one
 * @param duration how long the member counts as alive without a renewal
 */
record MemberView(
    String namespace,
    String name,
    String uid,
    long resourceVersion,
    String identity,
    String nodes,
    Instant renewed,
    Duration duration)
    implements KubeObject {
  static MemberView of(JsonNode lease) {
    JsonNode metadata = lease.path("metadata");
    if (!metadata.path("name").isTextual()) {
      throw new DecodeException("a Lease must have metadata.name");
    }
    JsonNode spec = lease.path("spec");
    String renewed = spec.path("renewTime").asText("");
    return new MemberView(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        spec.path("holderIdentity").asText(""),
        metadata.path("annotations").path(ReplicaOptions.NODES_ANNOTATION).asText(""),
        renewed.isEmpty() ? Instant.EPOCH : Timestamps.parse(renewed),
        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong(0)));
  }
}
