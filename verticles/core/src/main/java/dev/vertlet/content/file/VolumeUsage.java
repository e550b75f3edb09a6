package dev.vertlet.content.file;

import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures the emptyDir volumes of pods, for the limits of their sizes. */
public final class VolumeUsage {
  private VolumeUsage() {}

  /**
   * A volume to measure.
   *
   * @param memory whether its medium is {@code Memory}
   */
  public record EmptyDir(String name, Path directory, boolean memory) {}

  /**
   * What the volumes of a pod hold, in bytes.
   *
   * @param volumes by name
   * @param disk of those on disk together
   */
  public record Sizes(Map<String, Long> volumes, long disk) {}

  /**
   * Measures volumes; blocks.
   *
   * @param wanted volumes by the UID of their pod
   */
  public static Map<String, Sizes> measure(Map<String, List<EmptyDir>> wanted) throws IOException {
    List<Path> directories =
        wanted.values().stream().flatMap(List::stream).map(EmptyDir::directory).toList();
    Map<Path, Long> bytes = DiskUsage.of(directories);
    Map<String, Sizes> measured = new HashMap<>();
    wanted.forEach((uid, volumes) -> measured.put(uid, sizes(volumes, bytes)));
    return measured;
  }

  private static Sizes sizes(List<EmptyDir> volumes, Map<Path, Long> bytes) {
    Map<String, Long> sizes = new HashMap<>();
    long disk = 0;
    for (EmptyDir volume : volumes) {
      long size = bytes.getOrDefault(volume.directory(), 0L);
      sizes.put(volume.name(), size);
      disk += volume.memory() ? 0 : size;
    }
    return new Sizes(sizes, disk);
  }

  /**
   * Adds measured volumes to what a runtime has measured. As in a kubelet, volumes in memory are no
   * part of a pod's storage, and have limits of their own all the same.
   *
   * @param measured by UID; ignored for a pod whose volumes the runtime measures
   */
  public static NodeUsage completed(NodeUsage usage, Map<String, Sizes> measured) {
    Map<String, PodUsage> pods = new HashMap<>(usage.pods());
    measured.forEach(
        (uid, sizes) -> {
          PodUsage own = pods.getOrDefault(uid, new PodUsage(List.of(), Disk.NONE, 0));
          if (own.emptyDirs().isEmpty()) {
            pods.put(
                uid,
                new PodUsage(
                    own.containers(),
                    own.volumes().plus(new Disk(sizes.disk(), 0)),
                    own.processes(),
                    sizes.volumes(),
                    own.stats()));
          }
        });
    return new NodeUsage(
        usage.measuredAt(),
        usage.memory(),
        usage.nodeFs(),
        usage.nodeFsInodes(),
        usage.imageFs(),
        usage.imageFsInodes(),
        usage.pids(),
        pods,
        usage.stats());
  }
}
