package dev.vertlet.configsync.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vertlet.model.Names;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node that a store belongs to, and its layout, in {@code meta/owner}. A store of another node
 * is set aside; a kubelet's store in {@code store/} is adopted. Blocks.
 */
final class StoreOwner {
  private static final Logger LOG = LoggerFactory.getLogger(StoreOwner.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Version of the layout that {@link CheckpointStore} describes. */
  private static final int LAYOUT = 1;

  private final StoreFiles files;
  private final AtomicWrites writes;
  private final Path directory;
  private final String node;

  StoreOwner(StoreFiles files, AtomicWrites writes, Path directory, String node) {
    this.files = files;
    this.writes = writes;
    this.directory = directory;
    this.node = node;
  }

  private Path meta() {
    return directory.resolve(CheckpointStore.META);
  }

  private Path checkpoints() {
    return directory.resolve(CheckpointStore.CHECKPOINTS);
  }

  private Path file() {
    return meta().resolve("owner");
  }

  /**
   * Moves a kubelet's store up: kubelets wrote one level deeper than documented. The records move
   * last: while they are in place, the move is incomplete and is repeated.
   */
  void adopt() throws IOException {
    Path store = directory.resolve("store");
    if (files.exists(meta()) || !files.exists(store.resolve(CheckpointStore.META))) {
      return;
    }
    Path payloads = store.resolve(CheckpointStore.CHECKPOINTS);
    if (files.exists(payloads)) {
      move(payloads, checkpoints());
    }
    move(store.resolve(CheckpointStore.META), meta());
    LOG.atInfo()
        .addKeyValue("node", node)
        .addKeyValue("directory", directory)
        .log("took over the config that a kubelet stored here");
  }

  private void move(Path from, Path to) throws IOException {
    files.rename(from, to);
    files.syncDirectory(AtomicWrites.parent(to));
    files.syncDirectory(AtomicWrites.parent(from));
  }

  /**
   * Sets the store aside if it belongs to another node.
   *
   * @throws IOException also when a later version has written it
   */
  void claim() throws IOException {
    if (!files.exists(file())) {
      return;
    }
    JsonNode owner = JSON.readTree("{}");
    try {
      owner = JSON.readTree(files.read(file()));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      LOG.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("file", file())
          .log("owner of the stored config is unknown; using it for this node");
    }
    int layout = owner.path("layout").asInt(LAYOUT);
    if (layout > LAYOUT) {
      throw new IOException(
          file()
              + " has layout "
              + layout
              + ", which a later version wrote; this one knows "
              + LAYOUT);
    }
    String name = owner.path("node").asText("");
    if (!name.isEmpty() && !name.equals(node)) {
      setAside(name);
    }
  }

  private void setAside(String other) throws IOException {
    Path stale = stale(other);
    LOG.atWarn()
        .addKeyValue("node", node)
        .addKeyValue("owner", other)
        .addKeyValue("kept", stale)
        .log("stored config belongs to another node; it is set aside");
    writes.directories(stale);
    if (files.exists(checkpoints())) {
      move(checkpoints(), stale.resolve(CheckpointStore.CHECKPOINTS));
    }
    move(meta(), stale.resolve(CheckpointStore.META));
  }

  /** Returns a new name, or that of an incomplete move. */
  private Path stale(String other) throws IOException {
    String name = "stale-" + (Names.checkSubdomain(other).isEmpty() ? other : "unknown");
    Path stale = directory.resolve(name);
    for (int i = 2; taken(stale); i++) {
      stale = directory.resolve(name + "-" + i);
    }
    return stale;
  }

  private boolean taken(Path stale) throws IOException {
    return files.exists(stale.resolve(CheckpointStore.META))
        || (files.exists(stale.resolve(CheckpointStore.CHECKPOINTS))
            && files.exists(checkpoints()));
  }

  /** Records this node as the owner, unless it is recorded already. */
  void sign() throws IOException {
    byte[] content =
        JsonNodeFactory.instance
            .objectNode()
            .put("node", node)
            .put("layout", LAYOUT)
            .toString()
            .getBytes(UTF_8);
    if (!files.exists(file()) || !java.util.Arrays.equals(files.read(file()), content)) {
      writes.file(file(), content);
    }
  }
}
