package dev.vertlet.model;

import java.util.List;

/**
 * A volume of a pod that may be impossible to mount.
 *
 * @param name as mounts call it
 * @param kind name of the field that says what it is made of, for example {@code configMap}
 * @param sources objects that it shows; empty for a kind that shows none
 */
public record VolumeView(String name, String kind, List<Source> sources) {
  public VolumeView {
    sources = List.copyOf(sources);
  }

  /**
   * A ConfigMap, a Secret or a PersistentVolumeClaim in a volume.
   *
   * @param name empty for the claim that is made for the pod: it is called after pod and volume
   * @param keys that have to be there; empty when all that are there are shown
   * @param optional whether the volume is mounted without what is missing
   */
  public record Source(ReferredKind kind, String name, List<String> keys, boolean optional) {
    public Source {
      keys = List.copyOf(keys);
    }
  }
}
