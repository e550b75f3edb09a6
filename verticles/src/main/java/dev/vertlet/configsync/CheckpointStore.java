package dev.vertlet.configsync;

import dev.vertlet.configsync.SerializedSource.CorruptException;
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
 * What one node keeps of its configuration, so that it needs no API server to start with it:
 *
 * <pre>
 *   meta/assigned                              a SerializedNodeConfigSource, or no bytes: local
 *   meta/last-known-good                       likewise
 *   meta/loading-&lt;id&gt;                          a SerializedNodeConfigSource, while it is loaded
 *   meta/owner                                 {"node":…,"layout":1}
 *   checkpoints/&lt;uid&gt;/&lt;resourceVersion&gt;/&lt;key&gt;   a file for each entry of a ConfigMap
 * </pre>
 *
 * <p>Whatever returns is durable. Whatever a crash or a power loss interrupts has either happened
 * or not: what is left of it has a name that begins with {@code tmp_}, and the next {@link #open}
 * removes it.
 *
 * <p>Every method blocks, most until a disk has written: they belong on a worker, one call at a
 * time. Two stores of one directory are not kept apart.
 */
final class CheckpointStore {
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
   * @param directory see {@link #directory(Path, String)}
   * @param suffixes letters and digits for temporary names, new each time
   */
  CheckpointStore(StoreFiles files, Path directory, String node, Supplier<String> suffixes) {
    this.files = files;
    this.writes = new AtomicWrites(files, suffixes);
    this.directory = directory;
    this.owner = new StoreOwner(files, writes, directory, node);
    this.meta = new MetaFiles(files, writes, directory.resolve(META));
    this.checkpoints = new Checkpoints(files, writes, directory.resolve(CHECKPOINTS));
  }

  /**
   * Where a node that is not the first of its process keeps its own; the first one uses the root.
   *
   * @param root {@code configSync.dynamicConfigDir}
   */
  static Path directory(Path root, String node) {
    return root.resolve("nodes").resolve(node);
  }

  /**
   * Makes ready what is missing, removes what crashes left, and reads. Once, before all else.
   *
   * @param now stamps what is kept of records that cannot be read
   * @throws IOException when the directory cannot be used: the node must not start without it
   */
  StoredMeta open(Instant now) throws IOException {
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
    // whoever renamed something here may have died before it was durable
    files.syncDirectory(directory.resolve(META));
    files.syncDirectory(directory.resolve(CHECKPOINTS));
    files.syncDirectory(directory);
    return meta.read(now);
  }

  /**
   * Keeps a version of a ConfigMap, all its keys.
   *
   * @return whether it was there before, and nothing was written
   * @throws IOException also for a key that is no file name; nothing is kept then
   */
  boolean save(ResolvedSource source, Map<String, String> data) throws IOException {
    return checkpoints.save(source, data);
  }

  /**
   * Keeps it in place of something else that is under its name.
   *
   * @return whether it was as it should be, and nothing was written
   */
  boolean repair(ResolvedSource source, Map<String, String> data) throws IOException {
    return checkpoints.repair(source, data);
  }

  /**
   * The payload: the bytes under the source's key.
   *
   * @throws IOException also when they are missing or there are none: a load error
   */
  byte[] read(ResolvedSource source) throws IOException {
    return checkpoints.read(source);
  }

  /**
   * Says that a checkpoint is about to be loaded: a process that ends before {@link #loaded} leaves
   * word for the next one.
   */
  void loading(ResolvedSource source) {
    meta.marks().begin(source);
  }

  /** It was loaded or refused. What {@link #sync} makes durable. */
  void loaded(ResolvedSource source) throws IOException {
    meta.marks().end(source);
  }

  void sync() throws IOException {
    meta.marks().sync();
  }

  /** What relative paths in the payload are relative to. */
  Path directory(ResolvedSource source) {
    return checkpoints.directory(source);
  }

  /**
   * @param source whose checkpoint was saved before; null for the local config
   * @return from when its trial counts
   */
  Instant writeAssigned(@Nullable ResolvedSource source) throws IOException {
    return meta.write(MetaFiles.ASSIGNED, source);
  }

  /**
   * @param source null for the local config
   */
  void writeLastKnownGood(@Nullable ResolvedSource source) throws IOException {
    meta.write(MetaFiles.LAST_KNOWN_GOOD, source);
  }

  /**
   * Removes checkpoints that are neither assigned, active nor last known good, that are older than
   * 24 hours, and are not among the newest of those. Does nothing while a record cannot be read.
   *
   * @param active what runs; null for the local config
   * @param history {@code configSync.checkpointHistory}: how many of the others stay
   */
  void collect(@Nullable ResolvedSource active, int history, Instant now) throws IOException {
    List<ResolvedSource> kept = new ArrayList<>();
    if (active != null) {
      kept.add(active);
    }
    try {
      meta.source(MetaFiles.ASSIGNED).ifPresent(kept::add);
      meta.source(MetaFiles.LAST_KNOWN_GOOD).ifPresent(kept::add);
    } catch (CorruptException e) {
      LOG.atDebug().addKeyValue("error", e.getMessage()).log("no checkpoint is removed");
      return;
    }
    checkpoints.collect(kept, history, now);
    meta.marks().collect(checkpoints::holds);
  }
}
