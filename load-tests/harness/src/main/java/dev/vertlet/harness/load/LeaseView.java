package dev.vertlet.harness.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.KubeObject;

/** A lease of a node: each new version of it is a renewal. */
record LeaseView(String namespace, String name, String uid, long resourceVersion)
    implements KubeObject {
  static JsonTreeDecoder<LeaseView> decoder() {
    return new JsonTreeDecoder<>(LeaseView::of);
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
        metadata.path("resourceVersion").asLong(0));
  }
}
