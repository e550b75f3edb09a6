package dev.vertlet.configsync.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A file system that can lose its power: which names a directory has is then what was made durable,
 * or what was there last. Contents of files are durable at once, as {@link StoreFiles#write}
 * promises.
 */
final class MemoryFiles implements StoreFiles {
  /** Nothing more is done, not even the cleaning up after a failure. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  /** A directory where {@code content} is null, else a file. */
  private static final class Inode {
    private final byte @Nullable [] content;
    private final Instant modified;
    private final Map<String, Inode> names = new TreeMap<>();
    private final Map<String, Inode> durable = new TreeMap<>();

    Inode(byte @Nullable [] content, Instant modified) {
      this.content = content == null ? null : content.clone();
      this.modified = modified;
    }
  }

  private final Inode root = new Inode(null, Instant.EPOCH);

  Instant now = Instant.parse("2026-01-01T00:00:00Z");

  /** Changes until the next one crashes, or fails; below zero for never. */
  private int left = -1;

  private boolean crashes;
  private boolean full;
  private int changes;

  /** The change after so many is the end of the process; what it writes is written by half. */
  void crashAfter(int count) {
    left = count;
    crashes = true;
  }

  /** From the change after so many on, nothing can be written. */
  void fullAfter(int count) {
    left = count;
    crashes = false;
  }

  /** How many changes there were. */
  int changes() {
    return changes;
  }

  /** Another process, or there is room again. */
  void recover() {
    left = -1;
    full = false;
    crashes = false;
  }

  /** Each directory has its durable names or its last ones, at random. */
  void losePower(RandomGenerator random) {
    losePower(root, random);
  }

  private static void losePower(Inode directory, RandomGenerator random) {
    if (random.nextBoolean()) {
      directory.names.clear();
      directory.names.putAll(directory.durable);
    }
    directory.durable.clear();
    directory.durable.putAll(directory.names);
    directory.names.values().forEach(each -> losePower(each, random));
  }

  /** Every path there is. */
  List<Path> all() {
    List<Path> paths = new java.util.ArrayList<>();
    collect(root, Path.of("/"), paths);
    return paths;
  }

  private static void collect(Inode directory, Path path, List<Path> paths) {
    directory.names.forEach(
        (name, inode) -> {
          paths.add(path.resolve(name));
          collect(inode, path.resolve(name), paths);
        });
  }

  private @Nullable Inode find(Path path) {
    Inode at = root;
    for (Path name : path) {
      if (at != null) {
        at = at.names.get(name.toString());
      }
    }
    return at;
  }

  private Inode get(Path path) throws IOException {
    Inode found = find(path);
    if (found == null) {
      throw new NoSuchFileException(path.toString());
    }
    return found;
  }

  private Inode parent(Path path) throws IOException {
    Path parent = path.getParent();
    return parent == null ? root : get(parent);
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /**
   * @return whether this change is the one that crashes
   */
  private boolean change(boolean writes) throws IOException {
    if (full && writes) {
      throw new IOException("No space left on device");
    }
    changes++;
    boolean now = left == 0;
    left--;
    if (now && !crashes && writes) {
      full = true;
      throw new IOException("No space left on device");
    }
    return now && crashes;
  }

  @Override
  public boolean exists(Path path) {
    return find(path) != null;
  }

  @Override
  public boolean isDirectory(Path path) {
    Inode found = find(path);
    return found != null && found.content == null;
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return List.copyOf(get(directory).names.keySet());
  }

  @Override
  public byte[] read(Path file) throws IOException {
    byte[] content = get(file).content;
    if (content == null) {
      throw new FileNotFoundException(file + " is a directory");
    }
    return content.clone();
  }

  @Override
  public Instant modified(Path path) throws IOException {
    return get(path).modified;
  }

  @Override
  public boolean writable(Path directory) {
    return true;
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    if (change(true)) {
      throw new Crash();
    }
    add(directory, new Inode(null, now));
  }

  @Override
  public void mark(Path file, byte[] content) throws IOException {
    boolean crash = change(true);
    byte[] written = crash ? java.util.Arrays.copyOf(content, content.length / 2) : content;
    parent(file).names.put(name(file), new Inode(written, now));
    if (crash) {
      throw new Crash();
    }
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    boolean crash = change(true);
    byte[] written = crash ? java.util.Arrays.copyOf(content, content.length / 2) : content;
    add(file, new Inode(written, now));
    if (crash) {
      throw new Crash();
    }
  }

  private void add(Path path, Inode inode) throws IOException {
    if (parent(path).names.putIfAbsent(name(path), inode) != null) {
      throw new FileAlreadyExistsException(path.toString());
    }
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    if (change(false)) {
      throw new Crash();
    }
    Inode inode = get(directory);
    inode.durable.clear();
    inode.durable.putAll(inode.names);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    if (change(false)) {
      throw new Crash();
    }
    Inode inode = get(from);
    Inode there = find(to);
    if (there != null && there.content == null) {
      throw new FileAlreadyExistsException(to.toString());
    }
    parent(from).names.remove(name(from));
    parent(to).names.put(name(to), inode);
  }

  @Override
  public void delete(Path path) throws IOException {
    if (change(false)) {
      throw new Crash();
    }
    if (!get(path).names.isEmpty()) {
      throw new DirectoryNotEmptyException(path.toString());
    }
    parent(path).names.remove(name(path));
  }
}
