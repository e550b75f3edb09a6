package dev.vertlet.model.pod;

import dev.vertlet.model.reference.ReferredKind;
import java.util.List;

/**
 * A volume of a pod that may be impossible to mount.
 *
 * @param name in mounts
 * @param kind name of the field of its source, for example {@code configMap}
 * @param sources referenced objects; empty for a kind without any
 */
public record VolumeView(String name, String kind, List<Source> sources) {
  public VolumeView {
    sources = List.copyOf(sources);
  }

  /**
   * A ConfigMap, a Secret or a PersistentVolumeClaim in a volume.
   *
   * @param name empty for the claim of an ephemeral volume, whose name consists of pod and volume
   * @param keys that must exist; empty to mount all existing keys
   * @param optional whether the volume is mounted without a missing object or key
   */
  public record Source(ReferredKind kind, String name, List<String> keys, boolean optional) {
    public Source {
      keys = List.copyOf(keys);
    }
  }
}
