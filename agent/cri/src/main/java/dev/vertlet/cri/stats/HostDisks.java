package dev.vertlet.cri.stats;

import dev.vertlet.cri.wire.ImageMessages.FilesystemUsage;
import dev.vertlet.host.files.Directories;
import dev.vertlet.host.node.HostStats;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.Supply;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures what the runtime does not: the host, its disks, and logs. Every method blocks. */
final class HostDisks {
  private final Path podsDir;
  private final HostStats host = new HostStats();

  HostDisks(Path podsDir) {
    this.podsDir = podsDir;
  }

  /**
   * The host at one time.
   *
   * @param imageFs null if images are where pods are, or if that is not known
   * @param logs by the path of the log's current file
   */
  record Measured(
      HostStats.Measured host,
      Supply nodeFs,
      @Nullable Supply imageFs,
      Supply pids,
      Map<Path, Disk> logs) {
    Measured {
      logs = Map.copyOf(logs);
    }
  }

  synchronized Measured read(Instant now, List<FilesystemUsage> imageFilesystems, List<Path> logs)
      throws IOException {
    FileStore pods = Files.getFileStore(podsDir);
    Map<Path, Disk> sizes = new HashMap<>();
    for (Path log : logs) {
      sizes.put(log, size(log));
    }
    long most = Proc.mostPids();
    long processes = Proc.pids().size();
    return new Measured(
        host.read(now),
        supply(pods),
        imageFs(pods, imageFilesystems),
        new Supply(Math.max(0, most - processes), most),
        sizes);
  }

  private static Supply supply(FileStore store) throws IOException {
    return new Supply(store.getUsableSpace(), store.getTotalSpace());
  }

  private static @Nullable Supply imageFs(FileStore pods, List<FilesystemUsage> filesystems)
      throws IOException {
    for (FilesystemUsage usage : filesystems) {
      Path path = usage.fsId() == null ? null : Path.of(usage.fsId().mountpoint());
      if (path != null && Files.isDirectory(path)) {
        FileStore store = Files.getFileStore(path);
        return store.equals(pods) ? null : supply(store);
      }
    }
    return null;
  }

  /** All files of a log: those that were rotated have the name of the current one and more. */
  private static Disk size(Path log) throws IOException {
    Path directory = log.getParent();
    String name = log.getFileName().toString();
    long bytes = 0;
    long files = 0;
    for (Path file : directory == null ? List.<Path>of() : Directories.children(directory)) {
      if (file.getFileName().toString().startsWith(name)) {
        try {
          bytes += Files.size(file);
          files++;
        } catch (NoSuchFileException e) {
          // rotated meanwhile
        }
      }
    }
    return new Disk(bytes, files);
  }
}
