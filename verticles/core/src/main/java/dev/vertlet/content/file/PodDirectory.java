package dev.vertlet.content.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.model.PodRef;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Paths of one pod's files. Methods that throw IOException block. */
public final class PodDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(PodDirectory.class);
  private static final String OWNER = "pod.json";
  private static final Pattern UID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /** Names of a kubelet's plugins, by kind of volume. */
  private static final Map<String, String> PLUGINS =
      Map.of(
          "configMap", "kubernetes.io~configmap",
          "secret", "kubernetes.io~secret",
          "downwardAPI", "kubernetes.io~downward-api",
          "projected", "kubernetes.io~projected",
          "emptyDir", "kubernetes.io~empty-dir");

  private static final int DIRECTORY_MODE = 0750;

  private final Path root;

  /**
   * Names the directory of a pod; creates nothing.
   *
   * @throws IllegalArgumentException for a UID that is no name of a directory
   */
  public PodDirectory(Path pods, String uid) {
    if (!UID.matcher(uid).matches()) {
      throw new IllegalArgumentException("the UID " + uid + " is no name of a directory");
    }
    this.root = pods.resolve(uid);
  }

  public Path root() {
    return root;
  }

  public Path volume(String kind, String name) {
    return root.resolve("volumes").resolve(PLUGINS.getOrDefault(kind, kind)).resolve(name);
  }

  /** Place of a copy that a container sees under a {@code subPath}. */
  Path subPath(String volume, String container, int mount) {
    return root.resolve("volume-subpaths")
        .resolve(volume)
        .resolve(container)
        .resolve(String.valueOf(mount));
  }

  Path hosts() {
    return root.resolve("etc-hosts");
  }

  public Path resolver() {
    return root.resolve("resolv.conf");
  }

  public Path container(String name) {
    return root.resolve("containers").resolve(name);
  }

  /** Creates the directory with the identity of its pod, unless it exists. */
  public void create(PodRef pod, String node) throws IOException {
    Files.createDirectories(root);
    FileModes.set(root, DIRECTORY_MODE);
    Path owner = root.resolve(OWNER);
    if (!Files.exists(owner)) {
      JsonObject json =
          new JsonObject()
              .put("namespace", pod.namespace())
              .put("name", pod.name())
              .put("uid", pod.uid())
              .put("node", node);
      Path draft = root.resolve(OWNER + ".tmp");
      Files.writeString(draft, json.encode());
      Files.move(draft, owner, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Removes what vertlet made for running containers; what else there is stays. */
  void clear(MemoryVolumes memory) throws IOException {
    for (String part : List.of("volume-subpaths", "volumes", "containers")) {
      remove(root.resolve(part), memory);
    }
    Files.deleteIfExists(hosts());
    Files.deleteIfExists(resolver());
  }

  /** Removes the directory; its pod stays known until everything else in it is removed. */
  void remove(MemoryVolumes memory) throws IOException {
    if (Files.isDirectory(root)) {
      try (Stream<Path> parts = Files.list(root)) {
        for (Path part : (Iterable<Path>) parts::iterator) {
          if (!part.endsWith(OWNER)) {
            remove(part, memory);
          }
        }
      }
    }
    VersionedDirectory.delete(root);
  }

  /** A file system that cannot be unmounted is kept whole: a process may still use its files. */
  private static void remove(Path path, MemoryVolumes memory) throws IOException {
    for (Path mount : memory.mounted(path)) {
      memory.unmount(mount);
    }
    VersionedDirectory.delete(path);
  }

  /** A pod whose directory was found. */
  public record Found(PodRef pod, String node) {}

  /** Returns the pods that have a directory. */
  static List<Found> all(Path pods) throws IOException {
    List<Found> found = new ArrayList<>();
    if (!Files.isDirectory(pods)) {
      return found;
    }
    try (Stream<Path> all = Files.list(pods)) {
      for (Path directory : (Iterable<Path>) all::iterator) {
        Found pod = found(directory);
        if (pod != null) {
          found.add(pod);
        }
      }
    }
    return found;
  }

  private static @Nullable Found found(Path directory) {
    if (!Files.isDirectory(directory)) {
      return null;
    }
    try {
      JsonObject json = new JsonObject(Files.readString(directory.resolve(OWNER), UTF_8));
      PodRef pod =
          new PodRef(
              json.getString("namespace", ""),
              json.getString("name", ""),
              json.getString("uid", ""));
      boolean own = directory.endsWith(pod.uid());
      return own ? new Found(pod, json.getString("node", "")) : null;
    } catch (NoSuchFileException e) {
      return null; // not a directory of a pod
    } catch (IOException | DecodeException | ClassCastException e) {
      // one file that cannot be read must not hide the other pods
      LOG.atWarn()
          .addKeyValue("path", directory)
          .addKeyValue("error", e.toString())
          .log("the pod of a directory cannot be read");
      return null;
    }
  }
}
