package dev.vertlet.content;

import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.NodeUsage.Disk;
import dev.vertlet.provider.NodeUsage.PodUsage;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures the emptyDir volumes of pods, for the limits of their sizes. */
final class VolumeUsage {
  private VolumeUsage() {}

  /**
   * Measures volumes; blocks.
   *
   * @param volumes directory of each volume by its name, by the UID of its pod
   * @return bytes by the volume's name, by UID
   */
  static Map<String, Map<String, Long>> measure(Map<String, Map<String, Path>> volumes)
      throws IOException {
    List<Path> directories =
        volumes.values().stream().flatMap(own -> own.values().stream()).toList();
    Map<Path, Long> sizes = DiskUsage.of(directories);
    Map<String, Map<String, Long>> bytes = new HashMap<>();
    volumes.forEach(
        (uid, own) -> {
          Map<String, Long> sums = new HashMap<>();
          own.forEach((name, path) -> sums.put(name, sizes.getOrDefault(path, 0L)));
          bytes.put(uid, sums);
        });
    return bytes;
  }

  /**
   * Adds measured volumes to what a runtime has measured.
   *
   * @param measured bytes by volume, by UID; ignored for a pod whose volumes the runtime measures
   */
  static NodeUsage completed(NodeUsage usage, Map<String, Map<String, Long>> measured) {
    Map<String, PodUsage> pods = new HashMap<>(usage.pods());
    measured.forEach(
        (uid, volumes) -> {
          PodUsage own = pods.getOrDefault(uid, new PodUsage(List.of(), Disk.NONE, 0));
          if (own.emptyDirs().isEmpty()) {
            long bytes = volumes.values().stream().mapToLong(Long::longValue).sum();
            pods.put(
                uid,
                new PodUsage(
                    own.containers(),
                    own.volumes().plus(new Disk(bytes, 0)),
                    own.processes(),
                    volumes,
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
