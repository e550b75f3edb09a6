package dev.vertlet.configsync.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.configsync.source.ResolvedSource;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Payloads of checkpoints: {@code <uid>/<resourceVersion>/<key>}, a file for each entry of a
 * ConfigMap. A directory with such a name is complete. Blocks.
 */
final class Checkpoints {
  /** Maximum length of a file name on Linux, in bytes. */
  private static final int MAX_NAME = 255;

  /** Younger checkpoints are kept: a recent version may be assigned again. */
  private static final Duration YOUNG = Duration.ofHours(24);

  private final StoreFiles files;
  private final AtomicWrites writes;
  private final Path root;

  Checkpoints(StoreFiles files, AtomicWrites writes, Path root) {
    this.files = files;
    this.writes = writes;
    this.root = root;
  }

  /** Removes leftovers of crashes. */
  void clean() throws IOException {
    writes.clean(root);
    for (String uid : files.list(root)) {
      if (files.isDirectory(root.resolve(uid))) {
        writes.clean(root.resolve(uid));
      }
    }
  }

  /**
   * Stores a version of a ConfigMap.
   *
   * @return whether the version existed already, and nothing was written
   */
  boolean save(ResolvedSource source, Map<String, String> data) throws IOException {
    Map<String, byte[]> content = content(data);
    Path target = directory(source);
    Path versions = AtomicWrites.parent(target);
    writes.directories(versions);
    // also if it exists: the process that created it may have died before its sync
    files.syncDirectory(root);
    if (files.exists(target)) {
      files.syncDirectory(versions);
      return true;
    }
    writes.directory(target, content);
    return false;
  }

  /**
   * Replaces a stored version whose content differs.
   *
   * @return whether the content was equal, and nothing was written
   */
  boolean repair(ResolvedSource source, Map<String, String> data) throws IOException {
    Map<String, byte[]> content = content(data);
    Path target = directory(source);
    if (!files.exists(target)) {
      return save(source, data);
    }
    if (holds(target, content)) {
      return true;
    }
    writes.directory(target, content);
    return false;
  }

  /** Whether the directory has exactly this content; false if it cannot be read. */
  private boolean holds(Path directory, Map<String, byte[]> content) {
    try {
      if (!files.list(directory).equals(List.copyOf(content.keySet()))) {
        return false;
      }
      for (Map.Entry<String, byte[]> each : content.entrySet()) {
        if (!Arrays.equals(files.read(directory.resolve(each.getKey())), each.getValue())) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static Map<String, byte[]> content(Map<String, String> data) throws IOException {
    Map<String, byte[]> content = new TreeMap<>();
    for (Map.Entry<String, String> each : data.entrySet()) {
      content.put(fileName(each.getKey()), each.getValue().getBytes(UTF_8));
    }
    return content;
  }

  private static String fileName(String key) throws IOException {
    boolean fits =
        !key.isEmpty()
            && !key.equals(".")
            && !key.equals("..")
            && key.indexOf('/') < 0
            && key.indexOf('\0') < 0
            && key.getBytes(UTF_8).length <= MAX_NAME;
    if (!fits) {
      throw new IOException("a key of the ConfigMap is no file name");
    }
    return key;
  }

  /** Base directory of relative paths in the payload. */
  Path directory(ResolvedSource source) {
    return root.resolve(source.uid()).resolve(source.resourceVersion());
  }

  /**
   * Reads the payload.
   *
   * @throws IOException also when the key is missing or its file is empty
   */
  byte[] read(ResolvedSource source) throws IOException {
    Path file = directory(source).resolve(source.source().key());
    byte[] payload;
    try {
      payload = files.read(file);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no " + file, e);
    }
    if (payload.length == 0) {
      throw new IOException(file + " is empty");
    }
    return payload;
  }

  /** Whether a checkpoint of this version exists, or may exist. */
  boolean holds(ResolvedSource source) {
    try {
      return files.exists(directory(source));
    } catch (IOException e) {
      return true;
    }
  }

  private record Found(Path path, Instant modified) {}

  /**
   * Removes checkpoints that are not in {@code kept}, older than 24 hours, and not among the newest
   * of the others.
   *
   * @param history how many others stay
   */
  void collect(Collection<ResolvedSource> kept, int history, Instant now) throws IOException {
    List<Path> needed = kept.stream().map(this::directory).toList();
    List<Found> old = new ArrayList<>();
    for (String uid : files.list(root)) {
      Path versions = root.resolve(uid);
      for (String version :
          files.isDirectory(versions) ? files.list(versions) : List.<String>of()) {
        Path each = versions.resolve(version);
        Instant modified = files.modified(each);
        if (!needed.contains(each) && !modified.isAfter(now.minus(YOUNG))) {
          old.add(new Found(each, modified));
        }
      }
    }
    old.sort(Comparator.comparing(Found::modified).reversed());
    for (Found each : old.subList(Math.min(history, old.size()), old.size())) {
      writes.remove(each.path());
    }
    for (String uid : files.list(root)) {
      Path versions = root.resolve(uid);
      if (files.isDirectory(versions) && files.list(versions).isEmpty()) {
        files.delete(versions);
      }
    }
  }
}
