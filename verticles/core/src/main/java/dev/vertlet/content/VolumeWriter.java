package dev.vertlet.content;

import dev.vertlet.content.file.ContentException;
import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.content.file.FileModes;
import dev.vertlet.content.file.HostPaths;
import dev.vertlet.content.file.MemoryVolumes;
import dev.vertlet.content.file.PodDirectory;
import dev.vertlet.content.file.VersionedDirectory;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.definition.VolumeDefinition.EmptyDir;
import dev.vertlet.model.definition.VolumeDefinition.HostPath;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.provider.content.VolumeContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the volumes of one pod on the node's disk. Blocks. */
final class VolumeWriter {
  /** Medium of an emptyDir that is a file system in memory. */
  static final String MEMORY = "Memory";

  /** Mode of an emptyDir, as in a kubelet. */
  private static final int OPEN = 0777;

  private final PodDirectory directory;
  private final ContentOptions options;
  private final @Nullable Long group;
  private final long memory;

  /**
   * Creates a writer.
   *
   * @param group the pod's fsGroup; null without one
   * @param memory allocatable memory of the node, bytes
   */
  VolumeWriter(PodDirectory directory, ContentOptions options, @Nullable Long group, long memory) {
    this.directory = directory;
    this.options = options;
    this.group = group;
    this.memory = memory;
  }

  /**
   * Result of writing.
   *
   * @param failures a kubelet's message for each volume that failed, by its name
   * @param warnings names of volumes that wanted memory and are on disk
   */
  record Written(Map<String, String> failures, List<String> warnings) {}

  /**
   * Makes the volumes of a pod that is about to start.
   *
   * @param contents of those volumes that have files
   */
  Written prepare(
      PodRef pod,
      String node,
      List<VolumeDefinition> volumes,
      Map<String, VolumeContent> contents,
      Instant now)
      throws IOException {
    directory.create(pod, node);
    Map<String, String> failures = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>(0);
    for (VolumeDefinition volume : volumes) {
      try {
        VolumeContent content = contents.get(volume.name());
        if (content != null) {
          write(content, now);
        } else if (volume.source() instanceof HostPath path) {
          Path unused = new HostPaths(options.hostPaths()).check(path);
        } else if (volume.source() instanceof EmptyDir empty && !emptyDir(volume, empty)) {
          warnings.add(volume.name());
        }
      } catch (ContentException e) {
        failures.put(volume.name(), String.valueOf(e.getMessage()));
      } catch (IOException e) {
        failures.put(volume.name(), e.toString());
      }
    }
    return new Written(failures, warnings);
  }

  /** Writes a version of a volume, unless it is there already. */
  void write(VolumeContent content, Instant now) throws IOException {
    Path path = directory.volume(content.kind(), content.volume());
    boolean unused = new VersionedDirectory(path).write(content.files(), group, now);
  }

  /** Returns false for a volume that wanted memory and is on disk. */
  private boolean emptyDir(VolumeDefinition volume, EmptyDir source)
      throws IOException, ContentException {
    boolean inMemory = source.medium().equals(MEMORY);
    if (!inMemory && !source.medium().isEmpty()) {
      throw new ContentException("unknown storage medium \"" + source.medium() + "\"");
    }
    Path path = directory.volume(volume.kind(), volume.name());
    boolean made = Files.isDirectory(path);
    if (made && !(inMemory && mountedAgain(path, source))) {
      return true; // made before, and written to since
    }
    Files.createDirectories(path);
    boolean mounted = made || (inMemory && options.memory().mount(path, size(source)));
    FileModes.set(path, OPEN);
    FileModes.group(path, group, false);
    return mounted || !inMemory;
  }

  /** Mounts a file system in memory again that has ended with the machine's last run. */
  private boolean mountedAgain(Path path, EmptyDir source) throws IOException {
    MemoryVolumes memory = options.memory();
    return !memory.mounted(path).contains(path) && memory.mount(path, size(source));
  }

  /** The volume's limit, but not more than pods may have together. */
  private long size(EmptyDir source) {
    long limit = source.sizeLimit().isEmpty() ? 0 : Quantities.units(source.sizeLimit());
    return limit > 0 && limit <= memory ? limit : memory;
  }
}
