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
   * @param volumes directory of each volume by its name
   * @return bytes by the volume's name
   */
  static Map<String, Long> measure(Map<String, Path> volumes) throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (Map.Entry<String, Path> volume : volumes.entrySet()) {
      bytes.put(volume.getKey(), size(volume.getValue()));
    }
    return bytes;
  }

  private static long size(Path directory) throws IOException {
    long[] bytes = {0};
    if (Files.isDirectory(directory)) {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              bytes[0] += attributes.size();
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
              return FileVisitResult.CONTINUE; // gone meanwhile, or not readable
            }
          });
    }
    return bytes[0];
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
