package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.PodRef;
import dev.vertlet.yaml.BoundedYaml;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Builds the pods of one node from manifests, as a kubelet does: adds a UID if it is missing,
 * appends the node's name to the pod's, and sets the default namespace and the annotations of
 * static pods.
 *
 * @param node of the pods
 * @param source {@link #FILE} or {@link #HTTP}
 */
public record Manifests(String node, String source) {
  public static final String FILE = "file";
  public static final String HTTP = "http";

  /** 10 MB: the limit of a kubelet for one file or answer. */
  public static final int MAX_BYTES = BoundedYaml.MAX_LENGTH;

  /** 128 bits. */
  private static final int UID_BYTES = 16;

  /** Orders keys, so that two spellings of one pod are equal. */
  private static final ObjectMapper ORDERED =
      new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

  /**
   * Reads one pod.
   *
   * @param place file or URL of the manifest; the same pod at two places is two pods
   * @throws ManifestException for anything else
   */
  public StaticPod pod(byte[] text, String place) throws ManifestException {
    return pod(ManifestText.object(text), place);
  }

  /**
   * Reads a pod or a list of pods.
   *
   * @param place file or URL of the manifest
   * @throws ManifestException for anything else; the result contains the problems of unusable pods
   */
  public SourceContents pods(byte[] text, String place) throws ManifestException {
    ObjectNode object = ManifestText.object(text);
    SourceContents.Collector collected = new SourceContents.Collector();
    if (is(object, "PodList")) {
      for (JsonNode item : object.path("items")) {
        // items of a list lack apiVersion and kind
        ObjectNode pod = object.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        item.fields().forEachRemaining(field -> pod.set(field.getKey(), field.getValue()));
        collect(pod, place, collected);
      }
    } else if (is(object, "Pod")) {
      collect(object, place, collected);
    } else {
      throw new ManifestException("must be a v1 Pod or PodList, " + kind(object));
    }
    return collected.done();
  }

  private void collect(ObjectNode manifest, String place, SourceContents.Collector collected) {
    try {
      collected.add(pod(manifest, place), place);
    } catch (ManifestException e) {
      collected.refuse(place, e, source);
    }
  }

  private StaticPod pod(ObjectNode manifest, String place) throws ManifestException {
    if (!is(manifest, "Pod")) {
      throw new ManifestException("must be a v1 Pod, " + kind(manifest));
    }
    if (!(manifest.path("metadata") instanceof ObjectNode metadata)
        || metadata.path("name").asText().isEmpty()) {
      throw new ManifestException("invalid pod: name is needed for the pod");
    }
    for (String field : List.of("name", "namespace", "uid")) {
      if (metadata.hasNonNull(field) && !metadata.get(field).isTextual()) {
        throw new ManifestException("invalid pod: metadata." + field + " must be a string");
      }
    }
    for (String field : List.of("labels", "annotations")) {
      if (metadata.hasNonNull(field) && !metadata.get(field).isObject()) {
        throw new ManifestException("invalid pod: metadata." + field + " must be an object");
      }
    }
    ObjectNode pod = complete(ordered(manifest), place);
    PodRef ref =
        new PodRef(
            text(pod.path("metadata"), "namespace"),
            text(pod.path("metadata"), "name"),
            text(pod.path("metadata"), "uid"));
    List<String> problems = PodCheck.problems(pod);
    if (!problems.isEmpty()) {
      throw new ManifestException("invalid pod: [" + String.join(" ", problems) + "]", ref);
    }
    Optional<String> reference = ApiReferences.find(pod.path("spec"));
    if (reference.isPresent()) {
      throw new ManifestException("static pods may not reference " + reference.get(), ref);
    }
    return StaticPod.of(pod);
  }

  /** Returns a copy with ordered keys, at every level. */
  private static ObjectNode ordered(ObjectNode manifest) {
    return ORDERED.valueToTree(ORDERED.convertValue(manifest, TreeMap.class));
  }

  private ObjectNode complete(ObjectNode pod, String place) {
    ObjectNode metadata = pod.withObjectProperty("metadata");
    // the manifest may be an object copied from an API server
    metadata.remove(
        List.of(
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "managedFields",
            "ownerReferences",
            "selfLink"));
    pod.remove("status");
    String uid = text(metadata, "uid");
    uid = uid.isEmpty() ? hash(pod, place) : uid;
    metadata.put("uid", uid);
    metadata.put("name", text(metadata, "name") + "-" + node.toLowerCase(Locale.ROOT));
    if (text(metadata, "namespace").isEmpty()) {
      metadata.put("namespace", "default");
    }
    ObjectNode annotations =
        metadata.path("annotations") instanceof ObjectNode given
            ? given
            : metadata.putObject("annotations");
    annotations.remove(List.of(StaticPod.MIRROR, StaticPod.SEEN));
    annotations.put(StaticPod.SOURCE, source).put(StaticPod.HASH, uid);
    ObjectNode spec = pod.path("spec") instanceof ObjectNode given ? given : pod.putObject("spec");
    spec.put("nodeName", node);
    PodSpecDefaults.apply(spec);
    if (source.equals(FILE)) {
      tolerateEviction(spec);
    }
    return pod;
  }

  /** Adds a toleration for NoExecute: node problems must not evict a node's own pods. */
  private static void tolerateEviction(ObjectNode spec) {
    ArrayNode tolerations =
        spec.path("tolerations") instanceof ArrayNode given ? given : spec.putArray("tolerations");
    for (JsonNode toleration : tolerations) {
      boolean everything =
          text(toleration, "key").isEmpty() && text(toleration, "operator").equals("Exists");
      if (everything && text(toleration, "effect").equals("NoExecute")) {
        return;
      }
    }
    tolerations.addObject().put("operator", "Exists").put("effect", "NoExecute");
  }

  /** UID derived from content and place: a changed manifest is another pod. */
  private String hash(ObjectNode pod, String place) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(pod.toString().getBytes(StandardCharsets.UTF_8));
      String origin =
          source.equals(FILE) ? "host:" + node + "file:" + place : "host:" + node + "url:" + place;
      digest.update(origin.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), UID_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String kind(JsonNode object) {
    String version = text(object, "apiVersion");
    String kind = text(object, "kind");
    return version.isEmpty() || kind.isEmpty()
        ? "has no apiVersion or no kind"
        : "is a " + version + " " + kind;
  }

  private static boolean is(JsonNode object, String kind) {
    return text(object, "apiVersion").equals("v1") && text(object, "kind").equals(kind);
  }

  private static String text(JsonNode object, String field) {
    return Objects.requireNonNullElse(object.path(field).textValue(), "");
  }
}
