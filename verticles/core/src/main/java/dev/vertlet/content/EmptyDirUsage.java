package dev.vertlet.content;

import dev.vertlet.model.VolumeDefinition;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Bytes in the emptyDir volumes of a node's pods, by volume, by UID. Measured once a minute at
 * most, as by a kubelet. Confined to the shard's loop.
 */
final class EmptyDirUsage {
  /** Age of a measurement that is still used, milliseconds. */
  private static final long MEASURE = 60_000;

  private final Function<String, PodDirectory> directories;

  /** The last measurement of each node. */
  private final Map<String, Measured> measured = new HashMap<>();

  private record Measured(long at, Map<String, Map<String, Long>> bytes) {}

  /**
   * @param directories directory of a pod by its UID
   */
  EmptyDirUsage(Function<String, PodDirectory> directories) {
    this.directories = directories;
  }

  void forget(String node) {
    measured.remove(node);
  }

  /**
   * Returns the usage of a node's pods.
   *
   * @param pods those of all nodes
   */
  Future<Map<String, Map<String, Long>>> of(
      String node, Collection<ContentPod> pods, ContentServices services) {
    Map<String, Map<String, Path>> wanted = new HashMap<>();
    for (ContentPod pod : pods) {
      if (pod.view().nodeName().equals(node)) {
        Map<String, Path> volumes = volumes(pod);
        if (!volumes.isEmpty()) {
          wanted.put(pod.view().uid(), volumes);
        }
      }
    }
    if (wanted.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    Measured last = measured.get(node);
    if (last != null && services.now() < last.at() + MEASURE) {
      return Future.succeededFuture(last.bytes());
    }
    return services
        .files()
        .run(() -> VolumeUsage.measure(wanted))
        .onSuccess(bytes -> measured.put(node, new Measured(services.now(), bytes)));
  }

  private Map<String, Path> volumes(ContentPod pod) {
    PodDirectory directory = directories.apply(pod.view().uid());
    Map<String, Path> volumes = new HashMap<>();
    for (VolumeDefinition volume : pod.knownVolumes()) {
      if (volume.source() instanceof VolumeDefinition.EmptyDir) {
        volumes.put(volume.name(), directory.volume(volume.kind(), volume.name()));
      }
    }
    return volumes;
  }
}
