package dev.vertlet.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decoders of the objects that pods refer to, from JSON. These objects are few and change rarely,
 * so the tree model is fast enough.
 */
public final class ReferredDecoders {
  private ReferredDecoders() {}

  /** Returns the decoder of this kind. */
  public static ObjectDecoder<ReferredView> of(ReferredKind kind) {
    return new JsonTreeDecoder<>(
        switch (kind) {
          case CONFIG_MAP -> ReferredDecoders::configMap;
          case SECRET -> ReferredDecoders::secret;
          case SERVICE -> ReferredDecoders::service;
          case PERSISTENT_VOLUME_CLAIM -> ReferredDecoders::claim;
          case PERSISTENT_VOLUME -> ReferredDecoders::volume;
        });
  }

  /** Decodes one ConfigMap, the answer of a request. */
  public static DataView configMap(Buffer json) {
    return data(JsonTreeDecoder.tree(json), false);
  }

  private static ReferredView configMap(JsonNode object) {
    return data(object, false);
  }

  private static ReferredView secret(JsonNode object) {
    return data(object, true);
  }

  private static DataView data(JsonNode object, boolean encoded) {
    Map<String, String> data = new HashMap<>();
    object
        .path("data")
        .fields()
        .forEachRemaining(
            entry -> {
              String value = entry.getValue().asText("");
              data.put(entry.getKey(), encoded ? decoded(value, entry.getKey()) : value);
            });
    Set<String> binaryKeys = new HashSet<>();
    object.path("binaryData").fieldNames().forEachRemaining(binaryKeys::add);
    JsonNode metadata = metadata(object);
    return new DataView(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        object.path("immutable").asBoolean(false),
        data,
        binaryKeys);
  }

  /** Decodes a value; the exception names only the key, because the value is secret. */
  private static String decoded(String base64, String key) {
    try {
      return new String(Base64.getDecoder().decode(base64), UTF_8);
    } catch (IllegalArgumentException e) {
      throw new DecodeException("data." + key + " of a Secret must be base64");
    }
  }

  private static ServiceView service(JsonNode object) {
    JsonNode metadata = metadata(object);
    JsonNode spec = object.path("spec");
    List<ServiceView.Port> ports = new ArrayList<>();
    spec.path("ports")
        .forEach(
            port ->
                ports.add(
                    new ServiceView.Port(
                        port.path("name").asText(""),
                        port.path("port").asInt(),
                        port.path("protocol").asText("TCP"))));
    return new ServiceView(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        spec.path("clusterIP").asText(""),
        ports);
  }

  private static ReferredView claim(JsonNode object) {
    JsonNode metadata = metadata(object);
    boolean kept = false;
    for (JsonNode finalizer : metadata.path("finalizers")) {
      kept |= finalizer.asText().equals("kubernetes.io/pvc-protection");
    }
    String controller = "";
    for (JsonNode owner : metadata.path("ownerReferences")) {
      controller = owner.path("controller").asBoolean() ? owner.path("uid").asText() : controller;
    }
    return new ClaimView(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        metadata.hasNonNull("deletionTimestamp") && !kept,
        object.path("status").path("phase").asText(""),
        object.path("spec").path("volumeName").asText(""),
        controller);
  }

  private static ReferredView volume(JsonNode object) {
    JsonNode metadata = metadata(object);
    JsonNode claim = object.path("spec").path("claimRef");
    return new PersistentVolumeView(
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        claim.isObject() ? claim.path("uid").asText("") : null,
        metadata.path("annotations").path("pv.beta.kubernetes.io/gid").asText(""));
  }

  private static JsonNode metadata(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    if (!metadata.path("name").isTextual()) {
      throw new DecodeException("an object must have metadata.name");
    }
    return metadata;
  }
}
