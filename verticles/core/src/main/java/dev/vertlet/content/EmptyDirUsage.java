package dev.vertlet.content;

import dev.vertlet.content.file.PodDirectory;
import dev.vertlet.content.file.VolumeUsage;
import dev.vertlet.content.file.VolumeUsage.EmptyDir;
import dev.vertlet.content.file.VolumeUsage.Sizes;
import dev.vertlet.model.definition.VolumeDefinition;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Sizes of the emptyDir volumes of a node's pods. Measured once a minute at most, as by a kubelet.
 * Confined to the shard's loop.
 */
final class EmptyDirUsage {
  /** Age of a measurement that is still used, milliseconds. */
  private static final long MEASURE = 60_000;

  private final Function<String, PodDirectory> directories;

  /** The last measurement of each node. */
  private final Map<String, Measured> measured = new HashMap<>();

  private record Measured(long at, Map<String, Sizes> pods) {}

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
   * Returns the sizes of the volumes of a node's pods, by UID.
   *
   * @param pods those of all nodes
   */
  Future<Map<String, Sizes>> of(
      String node, Collection<PodVolumeState> pods, ContentServices services) {
    Map<String, List<EmptyDir>> wanted = new HashMap<>();
    for (PodVolumeState pod : pods) {
      if (pod.view().nodeName().equals(node)) {
        List<EmptyDir> volumes = volumes(pod);
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
      return Future.succeededFuture(last.pods());
    }
    return services
        .files()
        .run(() -> VolumeUsage.measure(wanted))
        .onSuccess(sizes -> measured.put(node, new Measured(services.now(), sizes)));
  }

  private List<EmptyDir> volumes(PodVolumeState pod) {
    PodDirectory directory = directories.apply(pod.view().uid());
    List<EmptyDir> volumes = new ArrayList<>();
    for (VolumeDefinition volume : pod.knownVolumes()) {
      if (volume.source() instanceof VolumeDefinition.EmptyDir source) {
        volumes.add(
            new EmptyDir(
                volume.name(),
                directory.volume(volume.kind(), volume.name()),
                source.medium().equals(VolumeWriter.MEMORY)));
      }
    }
    return volumes;
  }
}
