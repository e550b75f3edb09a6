package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a pod spec's references to API objects, in a kubelet's plurals. A static pod must have
 * none, so that it can run without an API server.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/api/pod/util.go">
 *     HasAPIObjectReference, Kubernetes 1.36.3</a>
 */
final class ApiReferences {
  /** Volume types that may refer to a Secret, and the field with its name. */
  private static final Map<String, List<String>> VOLUME_SECRETS =
      Map.ofEntries(
          Map.entry("azureFile", List.of("secretName")),
          Map.entry("cephfs", List.of("secretRef", "name")),
          Map.entry("cinder", List.of("secretRef", "name")),
          Map.entry("csi", List.of("nodePublishSecretRef", "name")),
          Map.entry("flexVolume", List.of("secretRef", "name")),
          Map.entry("iscsi", List.of("secretRef", "name")),
          Map.entry("rbd", List.of("secretRef", "name")),
          Map.entry("scaleIO", List.of("secretRef", "name")),
          Map.entry("secret", List.of("secretName")),
          Map.entry("storageos", List.of("secretRef", "name")));

  /** Volume types that are always rejected. */
  private static final Map<String, String> VOLUMES =
      Map.of(
          "configMap", "configmaps (via configmap volumes)",
          "secret", "secrets (via secret volumes)",
          "csi", "csidrivers (via CSI volumes)",
          "glusterfs", "endpoints (via glusterFS volumes)",
          "persistentVolumeClaim", "persistentvolumeclaims",
          "ephemeral", "persistentvolumeclaims (via ephemeral volumes)",
          "azureFile", "secrets (via azureFile volumes)");

  private static final Set<String> HARMLESS =
      Set.of(
          "awsElasticBlockStore",
          "azureDisk",
          "cephfs",
          "cinder",
          "downwardAPI",
          "emptyDir",
          "fc",
          "flexVolume",
          "flocker",
          "gcePersistentDisk",
          "gitRepo",
          "hostPath",
          "image",
          "iscsi",
          "nfs",
          "photonPersistentDisk",
          "portworxVolume",
          "quobyte",
          "rbd",
          "scaleIO",
          "storageos",
          "vsphereVolume");

  private static final Map<String, String> PROJECTED =
      Map.of(
          "configMap", "configmaps (via projected volumes)",
          "secret", "secrets (via projected volumes)",
          "serviceAccountToken", "serviceaccounts (via projected volumes)",
          "clusterTrustBundle", "clustertrustbundles",
          "podCertificate", "podcertificates");

  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private final JsonNode spec;

  private ApiReferences(JsonNode spec) {
    this.spec = spec;
  }

  /**
   * Finds the first reference.
   *
   * @param spec of a pod
   * @return empty without references
   * @throws ManifestException for an unknown volume type
   */
  static Optional<String> find(JsonNode spec) throws ManifestException {
    return new ApiReferences(spec).find();
  }

  private Optional<String> find() throws ManifestException {
    if (named(spec.path("serviceAccountName")) || named(spec.path("serviceAccount"))) {
      return Optional.of("serviceaccounts");
    }
    if (secrets()) {
      return Optional.of("secrets");
    }
    if (configMaps()) {
      return Optional.of("configmaps");
    }
    if (!spec.path("resourceClaims").isEmpty()) {
      return Optional.of("resourceclaims");
    }
    for (JsonNode volume : spec.path("volumes")) {
      Optional<String> reference = volume(volume);
      if (reference.isPresent()) {
        return reference;
      }
    }
    return Optional.empty();
  }

  private boolean secrets() {
    for (JsonNode pull : spec.path("imagePullSecrets")) {
      if (named(pull.path("name"))) {
        return true;
      }
    }
    if (environment("secretRef", "secretKeyRef")) {
      return true;
    }
    for (JsonNode volume : spec.path("volumes")) {
      for (Map.Entry<String, List<String>> kind : VOLUME_SECRETS.entrySet()) {
        JsonNode at = volume.path(kind.getKey());
        for (String field : kind.getValue()) {
          at = at.path(field);
        }
        if (named(at)) {
          return true;
        }
      }
      if (projects(volume, "secret")) {
        return true;
      }
    }
    return false;
  }

  private boolean configMaps() {
    if (environment("configMapRef", "configMapKeyRef")) {
      return true;
    }
    for (JsonNode volume : spec.path("volumes")) {
      if (named(volume.path("configMap").path("name")) || projects(volume, "configMap")) {
        return true;
      }
    }
    return false;
  }

  private static boolean projects(JsonNode volume, String kind) {
    for (JsonNode source : volume.path("projected").path("sources")) {
      if (named(source.path(kind).path("name"))) {
        return true;
      }
    }
    return false;
  }

  private boolean environment(String whole, String key) {
    for (String list : CONTAINERS) {
      for (JsonNode container : spec.path(list)) {
        for (JsonNode from : container.path("envFrom")) {
          if (named(from.path(whole).path("name"))) {
            return true;
          }
        }
        for (JsonNode variable : container.path("env")) {
          if (named(variable.path("valueFrom").path(key).path("name"))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static Optional<String> volume(JsonNode volume) throws ManifestException {
    for (Map.Entry<String, String> kind : VOLUMES.entrySet()) {
      if (volume.path(kind.getKey()).isObject()) {
        return Optional.of(kind.getValue());
      }
    }
    if (volume.path("projected").isObject()) {
      return projected(volume);
    }
    for (String kind : HARMLESS) {
      if (volume.has(kind)) {
        return Optional.empty();
      }
    }
    if (volume.size() <= 1) {
      return Optional.empty(); // a volume without a type is an emptyDir
    }
    throw new ManifestException(
        "unknown volume type for volume  \"" + volume.path("name").asText() + "\"");
  }

  private static Optional<String> projected(JsonNode volume) throws ManifestException {
    for (JsonNode source : volume.path("projected").path("sources")) {
      for (Map.Entry<String, String> kind : PROJECTED.entrySet()) {
        if (source.path(kind.getKey()).isObject()) {
          return Optional.of(kind.getValue());
        }
      }
      if (!source.has("downwardAPI")) {
        throw new ManifestException(
            "unknown source for projected volume \"" + volume.path("name").asText() + "\"");
      }
    }
    return Optional.empty();
  }

  private static boolean named(JsonNode name) {
    return name.isTextual() && !name.textValue().isEmpty();
  }
}
