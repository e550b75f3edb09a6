package dev.vertlet.configsync.store;

import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.SerializedSource.CorruptException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configuration of one node on disk, so that the node starts with it without an API server:
 *
 * <pre>
 *   meta/assigned                              a SerializedNodeConfigSource, or no bytes: local
 *   meta/last-known-good                       likewise
 *   meta/loading-&lt;id&gt;                          a SerializedNodeConfigSource, while it is loaded
 *   meta/owner                                 {"node":…,"layout":1}
 *   checkpoints/&lt;uid&gt;/&lt;resourceVersion&gt;/&lt;key&gt;   a file for each entry of a ConfigMap
 * </pre>
 *
 * <p>A method's changes are durable when it returns. A crash or a power loss leaves each change
 * complete or undone: names of leftovers begin with {@code tmp_}, and the next {@link #open}
 * removes them.
 *
 * <p>Every method blocks, most until a disk has written: call them on a worker, one call at a time.
 * Two stores of one directory are not detected.
 */
public final class CheckpointStore {
  static final String META = "meta";
  static final String CHECKPOINTS = "checkpoints";

  private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);

  private final StoreFiles files;
  private final AtomicWrites writes;
  private final Path directory;
  private final StoreOwner owner;
  private final MetaFiles meta;
  private final Checkpoints checkpoints;

  /**
   * Creates a store.
   *
   * @param directory see {@link #directory(Path, String)}
   * @param suffixes letters and digits for temporary names, unique on each call
   */
  public CheckpointStore(StoreFiles files, Path directory, String node, Supplier<String> suffixes) {
    this.files = files;
    this.writes = new AtomicWrites(files, suffixes);
    this.directory = directory;
    this.owner = new StoreOwner(files, writes, directory, node);
    this.meta = new MetaFiles(files, writes, directory.resolve(META));
    this.checkpoints = new Checkpoints(files, writes, directory.resolve(CHECKPOINTS));
  }

  /**
   * Store directory of every node of a process except the first, which uses the root.
   *
   * @param root {@code configSync.dynamicConfigDir}
   */
  public static Path directory(Path root, String node) {
    return root.resolve("nodes").resolve(node);
  }

  /**
   * Creates missing directories, removes leftovers of crashes, and reads the records. Called once,
   * before any other method.
   *
   * @param now time stamp in the names of preserved unreadable records
   * @throws IOException when the directory cannot be used: the node must not start without it
   */
  public StoredMeta open(Instant now) throws IOException {
    writes.directories(directory);
    owner.adopt();
    owner.claim();
    for (String name : new String[] {META, CHECKPOINTS}) {
      Path each = directory.resolve(name);
      writes.directories(each);
      if (!files.writable(each)) {
        throw new IOException(each + " cannot be written to");
      }
      writes.clean(each);
    }
    checkpoints.clean();
    owner.sign();
    meta.create();
    // an earlier process may have died between a rename and its sync
    files.syncDirectory(directory.resolve(META));
    files.syncDirectory(directory.resolve(CHECKPOINTS));
    files.syncDirectory(directory);
    return meta.read(now);
  }

  /**
   * Stores a version of a ConfigMap with all its keys.
   *
   * @return whether the version existed already, and nothing was written
   * @throws IOException also for a key that is not a file name; nothing is stored then
   */
  public boolean save(ResolvedSource source, Map<String, String> data) throws IOException {
    return checkpoints.save(source, data);
  }

  /**
   * Replaces a stored version whose content differs.
   *
   * @return whether the content was equal, and nothing was written
   */
  public boolean repair(ResolvedSource source, Map<String, String> data) throws IOException {
    return checkpoints.repair(source, data);
  }

  /**
   * Reads the payload: the bytes under the source's key.
   *
   * @throws IOException also when the payload is missing or empty: a load error
   */
  public byte[] read(ResolvedSource source) throws IOException {
    return checkpoints.read(source);
  }

  /**
   * Marks a checkpoint as being loaded: if the process ends before {@link #loaded}, the next
   * process sees the mark.
   */
  public void loading(ResolvedSource source) {
    meta.marks().begin(source);
  }

  /**
   * Removes the mark: the checkpoint was loaded or refused. {@link #sync} makes the removal
   * durable.
   */
  public void loaded(ResolvedSource source) throws IOException {
    meta.marks().end(source);
  }

  public void sync() throws IOException {
    meta.marks().sync();
  }

  /** Base directory of relative paths in the payload. */
  public Path directory(ResolvedSource source) {
    return checkpoints.directory(source);
  }

  /**
   * Records the assigned config.
   *
   * @param source whose checkpoint was saved before; null for the local config
   * @return start of its trial
   */
  public Instant writeAssigned(@Nullable ResolvedSource source) throws IOException {
    return meta.write(MetaFiles.ASSIGNED, source);
  }

  /**
   * Records the last known good config.
   *
   * @param source null for the local config
   */
  public void writeLastKnownGood(@Nullable ResolvedSource source) throws IOException {
    meta.write(MetaFiles.LAST_KNOWN_GOOD, source);
  }

  /**
   * Removes checkpoints that are neither assigned, active nor last known good, that are older than
   * 24 hours, and that are not among the newest of those. Does nothing while a record cannot be
   * read.
   *
   * @param active the running config; null for the local config
   * @param history {@code configSync.checkpointHistory}: how many of the others stay
   */
  public void collect(@Nullable ResolvedSource active, int history, Instant now)
      throws IOException {
    List<ResolvedSource> kept = new ArrayList<>();
    if (active != null) {
      kept.add(active);
    }
    try {
      meta.source(MetaFiles.ASSIGNED).ifPresent(kept::add);
      meta.source(MetaFiles.LAST_KNOWN_GOOD).ifPresent(kept::add);
    } catch (CorruptException e) {
      LOG.atDebug().addKeyValue("error", e.getMessage()).log("checkpoints not removed");
      return;
    }
    checkpoints.collect(kept, history, now);
    meta.marks().collect(checkpoints::holds);
  }
}
