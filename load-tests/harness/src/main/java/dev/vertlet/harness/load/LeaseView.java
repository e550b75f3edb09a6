package dev.vertlet.harness.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Lease of a node; each new version of it is a renewal.
 *
 * @param duration lease duration
 * @param renewed when its holder says that it renewed it; the epoch for a lease without
 */
record LeaseView(
    String namespace,
    String name,
    String uid,
    long resourceVersion,
    Duration duration,
    Instant renewed)
    implements KubeObject {
  /** A kubelet's lease duration, for a lease without one. */
  private static final int USUAL_SECONDS = 40;

  static JsonTreeDecoder<LeaseView> decoder() {
    return new JsonTreeDecoder<>(LeaseView::of);
  }

  private static Instant renewed(String time) {
    try {
      return time.isEmpty() ? Instant.EPOCH : Instant.parse(time);
    } catch (DateTimeParseException e) {
      throw new DecodeException("spec.renewTime of a Lease is no time: " + time);
    }
  }

  private static LeaseView of(JsonNode lease) {
    JsonNode metadata = lease.path("metadata");
    if (!metadata.path("name").isTextual()) {
      throw new DecodeException("a Lease must have metadata.name");
    }
    return new LeaseView(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        Duration.ofSeconds(lease.path("spec").path("leaseDurationSeconds").asLong(USUAL_SECONDS)),
        renewed(lease.path("spec").path("renewTime").asText()));
  }
}
