package dev.vertlet.apiserver.patch;

import java.util.Map;
import java.util.Optional;

/**
 * Which lists a strategic merge patch merges, and by which key: the {@code patchMergeKey} tags of
 * {@code k8s.io/api} 0.36 ({@code core/v1/types.go}, {@code meta/v1/types.go}).
 *
 * <p>A list without an entry is atomic, among them {@code spec.taints}, {@code spec.tolerations}
 * and the container statuses.
 */
final class MergeKeys {
  /** Lists of scalars that merge as sets. */
  private static final String SET = "";

  private static final Map<String, String> BY_FIELD =
      Map.ofEntries(
          Map.entry("metadata.ownerReferences", "uid"),
          Map.entry("metadata.finalizers", SET),
          Map.entry("spec.podCIDRs", SET),
          Map.entry("spec.volumes", "name"),
          Map.entry("spec.initContainers", "name"),
          Map.entry("spec.containers", "name"),
          Map.entry("spec.ephemeralContainers", "name"),
          Map.entry("spec.imagePullSecrets", "name"),
          Map.entry("spec.hostAliases", "ip"),
          Map.entry("spec.topologySpreadConstraints", "topologyKey"),
          Map.entry("spec.schedulingGates", "name"),
          Map.entry("spec.resourceClaims", "name"),
          Map.entry("spec.ports", "port"), // a Service
          Map.entry("status.conditions", "type"),
          Map.entry("status.addresses", "type"),
          Map.entry("status.hostIPs", "ip"),
          Map.entry("status.podIPs", "ip"),
          Map.entry("status.resourceClaimStatuses", "name"),
          Map.entry("ports", "containerPort"), // a container, at any depth
          Map.entry("env", "name"),
          Map.entry("volumeMounts", "mountPath"),
          Map.entry("volumeDevices", "devicePath"),
          Map.entry("allocatedResourcesStatus", "name"),
          Map.entry("secrets", "name"), // a ServiceAccount
          Map.entry("imagePullSecrets", "name"));

  private MergeKeys() {}

  /**
   * The merge key of a list: empty text for a set of scalars, nothing for an atomic list.
   *
   * @param parent name of the enclosing field, such as {@code status}, empty at the root
   */
  static Optional<String> of(String parent, String field) {
    String key = BY_FIELD.get(parent + "." + field);
    if (key == null && !parent.equals("spec") && !parent.equals("status")) {
      key = BY_FIELD.get(field);
    }
    return Optional.ofNullable(key);
  }
}
