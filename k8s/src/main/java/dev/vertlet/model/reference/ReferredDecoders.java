package dev.vertlet.model.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.ObjectDecoder;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** Returns the decoder of this kind, without the bytes that are no text. */
  public static ObjectDecoder<ReferredView> of(ReferredKind kind) {
    return of(kind, false);
  }

  /**
   * Returns the decoder of this kind.
   *
   * @param bytes whether to keep bytes that are no text, as volumes need them
   */
  public static ObjectDecoder<ReferredView> of(ReferredKind kind, boolean bytes) {
    return new JsonTreeDecoder<>(
        switch (kind) {
          case CONFIG_MAP -> object -> data(object, false, bytes);
          case SECRET -> object -> data(object, true, bytes);
          case SERVICE -> ReferredDecoders::service;
          case PERSISTENT_VOLUME_CLAIM -> ReferredDecoders::claim;
          case PERSISTENT_VOLUME -> ReferredDecoders::volume;
          case CLUSTER_TRUST_BUNDLE -> ReferredDecoders::trustBundle;
        });
  }

  /** Decodes one ConfigMap, the answer of a request. */
  public static DataView configMap(Buffer json) {
    return data(JsonTreeDecoder.tree(json), false, false);
  }

  private static DataView data(JsonNode object, boolean encoded, boolean bytes) {
    Map<String, String> data = new HashMap<>();
    Map<String, Buffer> binary = new HashMap<>();
    object
        .path("data")
        .fields()
        .forEachRemaining(
            entry -> {
              String value = entry.getValue().asText("");
              if (!encoded) {
                data.put(entry.getKey(), value);
                return;
              }
              byte[] decoded = decoded(value, "data." + entry.getKey() + " of a Secret");
              String text = new String(decoded, UTF_8);
              data.put(entry.getKey(), text);
              if (bytes && !Arrays.equals(text.getBytes(UTF_8), decoded)) {
                binary.put(entry.getKey(), Buffer.buffer(decoded));
              }
            });
    Set<String> binaryKeys = new HashSet<>();
    object.path("binaryData").fieldNames().forEachRemaining(binaryKeys::add);
    if (bytes) {
      for (String key : binaryKeys) {
        String value = object.path("binaryData").path(key).asText("");
        String what = "binaryData." + key + " of a ConfigMap";
        binary.put(key, Buffer.buffer(decoded(value, what)));
      }
    }
    JsonNode metadata = metadata(object);
    return new DataView(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        object.path("immutable").asBoolean(false),
        data,
        binaryKeys,
        object.path("type").asText(""),
        binary);
  }

  /** Decodes a value; the exception names only its place, because the value may be secret. */
  private static byte[] decoded(String base64, String what) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new DecodeException(what + " must be base64");
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

  private static ReferredView trustBundle(JsonNode object) {
    JsonNode metadata = metadata(object);
    Map<String, String> labels = new HashMap<>();
    metadata
        .path("labels")
        .fields()
        .forEachRemaining(label -> labels.put(label.getKey(), label.getValue().asText("")));
    return new TrustBundleView(
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        object.path("spec").path("signerName").asText(""),
        labels,
        object.path("spec").path("trustBundle").asText(""));
  }

  private static JsonNode metadata(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    if (!metadata.path("name").isTextual()) {
      throw new DecodeException("an object must have metadata.name");
    }
    return metadata;
  }
}
