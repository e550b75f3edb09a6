package dev.vertlet.configsync;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 * The payloads: {@code <uid>/<resourceVersion>/<key>}, a file for each entry of a ConfigMap. A
 * directory that has its name is complete. Blocks.
 */
final class Checkpoints {
  /** Of a file name, in bytes, on what Linux runs on. */
  private static final int MAX_NAME = 255;

  /** What was of use yesterday may be asked for again today. */
  private static final Duration YOUNG = Duration.ofHours(24);

  private final StoreFiles files;
  private final AtomicWrites writes;
  private final Path root;

  Checkpoints(StoreFiles files, AtomicWrites writes, Path root) {
    this.files = files;
    this.writes = writes;
    this.root = root;
  }

  /** Removes what crashes left. */
  void clean() throws IOException {
    writes.clean(root);
    for (String uid : files.list(root)) {
      if (files.isDirectory(root.resolve(uid))) {
        writes.clean(root.resolve(uid));
      }
    }
  }

  /**
   * @return whether it was there before, and nothing was written
   */
  boolean save(ResolvedSource source, Map<String, String> data) throws IOException {
    Map<String, byte[]> content = content(data);
    Path target = directory(source);
    Path versions = AtomicWrites.parent(target);
    writes.directories(versions);
    // also when it is there: who made it may have died before this
    files.syncDirectory(root);
    if (files.exists(target)) {
      files.syncDirectory(versions);
      return true;
    }
    writes.directory(target, content);
    return false;
  }

  /**
   * Makes it anew when it holds anything else.
   *
   * @return whether it was as it should be, and nothing was written
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

  /** What cannot be read is not as it should be. */
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

  /** Relative paths in the payload are relative to this. */
  Path directory(ResolvedSource source) {
    return root.resolve(source.uid()).resolve(source.resourceVersion());
  }

  /**
   * The payload.
   *
   * @throws IOException also when there is no such key, or nothing under it
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

  /** Whether there is something under its name. */
  boolean holds(ResolvedSource source) {
    try {
      return files.exists(directory(source));
    } catch (IOException e) {
      return true;
    }
  }

  private record Found(Path path, Instant modified) {}

  /**
   * Removes what nobody needs: not {@code kept}, not of the last 24 hours, and not among the newest
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
