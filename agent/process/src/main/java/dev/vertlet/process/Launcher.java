package dev.vertlet.process;

import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.files.Directories;
import dev.vertlet.host.files.StateFiles;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.model.PodRef;
import dev.vertlet.process.shim.Exit;
import dev.vertlet.process.shim.KeyValues;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.process.shim.Shim;
import dev.vertlet.process.shim.ShimState;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.process.store.StoredPod;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.failure.ProviderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Starts containers, and finds those of an earlier agent. Every method blocks. */
final class Launcher {
  /** Where every pod has a token, whether it uses that or not. */
  private static final String TOKENS = "/var/run/secrets/kubernetes.io/serviceaccount";

  private final Shims shims;
  private final PodDirectories directories;
  private final Clock clock;
  private final String bootId;

  Launcher(Shims shims, PodDirectories directories, Clock clock) throws IOException {
    this.shims = shims;
    this.directories = directories;
    this.clock = clock;
    this.bootId = Proc.bootId();
  }

  /**
   * What is known of an instance.
   *
   * @param state null before its start
   * @param exit null before its end
   */
  record Known(
      StoredContainer stored, Path directory, @Nullable ShimState state, @Nullable Exit exit) {}

  /** A pod of an earlier agent. */
  record KnownPod(StoredPod stored, List<Known> containers) {}

  PodDirectories directories() {
    return directories;
  }

  /** Returns the path of a container's control socket. */
  Path socket(String bareId) {
    return shims.socket(bareId);
  }

  /** Creates the directory in which a container finds its mounts, as links to what is mounted. */
  private static void link(Path root, List<ContainerMount> mounts) throws IOException {
    Files.createDirectories(root);
    for (ContainerMount mount : mounts) {
      Path link = root.resolve(mount.containerPath().substring(1)).normalize();
      if (link.startsWith(root) && !link.equals(root) && !Files.exists(link)) {
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, mount.hostPath());
      }
    }
  }

  /**
   * Starts an instance.
   *
   * @return its state, or its end if its program could not be started
   * @throws IOException if that is for a reason that is not the container's
   */
  Known launch(
      StoredContainer stored,
      Path directory,
      Launch launch,
      ImageRule image,
      ProcessOptions options)
      throws IOException {
    List<String> command = launch.command(image);
    Shim shim = shims.get();
    Path links = directory.resolve("root");
    Directories.create(directory);
    if (!shim.mounts().namespace()) {
      refuseUnreachable(launch, image, shim.mounts());
      link(links, launch.mounts());
    }
    StateFiles.write(directory.resolve(StoredContainer.FILE), stored.json());
    try {
      ContainerCgroups.create(stored.cgroups(), launch.limits(), options.podPidsLimit());
      byte[] definition = launch.definition(stored, image, command, links, options, shim.mounts());
      Shim.Started started = shim.run(directory, stored.socket(), definition);
      if (started.code() != 0 && !started.refused()) {
        throw new IOException(started.output());
      }
    } catch (IOException | RuntimeException e) {
      stored.cgroups().forEach(group -> Cgroups.removeIfUnused(group.directory()));
      throw e;
    }
    return known(stored, directory);
  }

  /** Links lead out of an image's own directory. */
  private static void refuseUnreachable(Launch launch, ImageRule image, MountMode mode) {
    if (image.root() != null && launch.mounts().stream().anyMatch(Launcher::isWanted)) {
      throw new ProviderException(
          ProviderException.Kind.TEMPORARY,
          "CreateContainerError",
          "volumes cannot be mounted in the directory of image %s: %s"
              .formatted(launch.container().image(), mode.problem()));
    }
  }

  private static boolean isWanted(ContainerMount mount) {
    return !mount.volume().isEmpty() && !mount.containerPath().startsWith(TOKENS);
  }

  private static Known known(StoredContainer stored, Path directory) throws IOException {
    KeyValues state = KeyValues.read(directory.resolve("state"));
    KeyValues exit = KeyValues.read(directory.resolve(Exit.FILE));
    return new Known(
        stored,
        directory,
        state == null ? null : ShimState.of(state),
        exit == null ? null : Exit.of(exit));
  }

  /**
   * Reads an instance again. If its shim was killed, its processes are killed and its end is
   * written.
   */
  Known look(StoredContainer stored, Path directory) throws IOException {
    Known known = known(stored, directory);
    ShimState state = known.state();
    if (known.exit() != null || state == null) {
      return known;
    }
    boolean sameBoot = state.bootId().equals(bootId);
    if (sameBoot && Proc.runs(state.shim(), state.shimStart())) {
      return known;
    }
    // the end may have been written since
    Known later = known(stored, directory);
    if (later.exit() != null) {
      return later;
    }
    if (sameBoot) {
      MarkedProcesses.kill(stored.bareId());
    }
    Exit lost = Exit.lost(clock.instant());
    StateFiles.write(directory.resolve(Exit.FILE), lost.text());
    Files.deleteIfExists(stored.socket()); // a shim that ends by itself removes it
    return new Known(stored, directory, state, lost);
  }

  /** Finds a pod; null if this runtime never had it. */
  @Nullable KnownPod find(PodRef ref) throws IOException {
    return find(directories.pod(ref.uid()));
  }

  private @Nullable KnownPod find(Path directory) throws IOException {
    var json = StateFiles.read(directory.resolve(StoredPod.FILE));
    if (json == null) {
      return null;
    }
    List<Known> containers = new ArrayList<>();
    for (Path instance : PodDirectories.instances(directory)) {
      var container = StateFiles.read(instance.resolve(StoredContainer.FILE));
      Known known = container == null ? null : look(StoredContainer.of(container), instance);
      if (known != null && (known.state() != null || known.exit() != null)) {
        containers.add(known);
      } else {
        Directories.delete(instance); // the agent ended before it had started it
      }
    }
    return new KnownPod(StoredPod.of(json), containers);
  }

  /** Finds all pods of some nodes. */
  List<KnownPod> findAll(Set<String> nodes) throws IOException {
    List<KnownPod> all = new ArrayList<>();
    for (Path directory : directories.allPods()) {
      var json = StateFiles.read(directory.resolve(StoredPod.FILE));
      KnownPod found =
          json != null && nodes.contains(StoredPod.of(json).node()) ? find(directory) : null;
      if (found != null) {
        all.add(found);
      }
    }
    return all;
  }

  void store(StoredPod pod) throws IOException {
    Path directory = directories.pod(pod.ref().uid());
    Directories.create(directory);
    StateFiles.write(directory.resolve(StoredPod.FILE), pod.json());
  }
}
