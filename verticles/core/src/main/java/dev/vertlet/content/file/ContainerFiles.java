package dev.vertlet.content.file;

import dev.vertlet.content.file.MountPlan.Planned;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.definition.VolumeDefinition.HostPath;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerMount.Propagation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the files of one instance of a container, and finds the paths of its mounts. Blocks. */
public final class ContainerFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerFiles.class);

  private static final int READABLE = 0644;
  private static final int DIRECTORY_MODE = 0755;

  private final PodDirectory directory;
  private final String container;
  private final HostPaths hostPaths;

  public ContainerFiles(PodDirectory directory, String container, HostPaths hostPaths) {
    this.directory = directory;
    this.container = container;
    this.hostPaths = hostPaths;
  }

  /**
   * What to make beside volumes.
   *
   * @param hosts contents of {@code /etc/hosts}; null for a pod without addresses
   * @param messagePath path of the termination message in the container; empty for none
   * @param random for the name of the file with the message
   */
  public record Extras(@Nullable String hosts, String messagePath, int attempt, int random) {}

  /**
   * Makes the files.
   *
   * @throws ContentException with the kubelet's message for a mount that is not possible
   */
  public List<ContainerMount> make(List<Planned> plan, Extras extras)
      throws IOException, ContentException {
    List<ContainerMount> mounts = new ArrayList<>();
    for (Planned mount : plan) {
      mounts.add(mount(mount));
    }
    String hosts = extras.hosts();
    if (hosts != null && !MountPlan.covers(plan, MountPlan.HOSTS)) {
      write(directory.hosts(), hosts);
      mounts.add(own(MountPlan.HOSTS, directory.hosts()));
    }
    if (Files.exists(directory.resolver()) && !MountPlan.covers(plan, MountPlan.RESOLVER)) {
      mounts.add(own(MountPlan.RESOLVER, directory.resolver()));
    }
    if (!extras.messagePath().isEmpty()) {
      Path file =
          new TerminationLog(directory.container(container))
              .create(extras.attempt(), extras.random());
      mounts.add(own(MountPlan.absolute(extras.messagePath()), file));
    }
    return mounts;
  }

  /** Writes a file of vertlet's that containers read. */
  public static void write(Path path, String text) throws IOException {
    Files.writeString(path, text);
    FileModes.set(path, READABLE);
  }

  private static ContainerMount own(String containerPath, Path file) {
    return new ContainerMount("", containerPath, file, false, false, Propagation.PRIVATE, null);
  }

  private ContainerMount mount(Planned mount) throws IOException, ContentException {
    // checked for every instance: another pod may have replaced a directory by a link since
    Path root =
        mount.volume().source() instanceof HostPath host
            ? hostPaths.check(host)
            : directory.volume(mount.volume().kind(), mount.volume().name());
    if (mount.subPath().isEmpty()) {
      return mounted(mount, root, null);
    }
    if (mount.volume().source() instanceof VolumeDefinition.Files) {
      return mounted(mount, copy(mount, root), null);
    }
    try {
      VolumePaths.Found found = VolumePaths.of(root, mount.subPath());
      return mounted(mount, found.path(), found);
    } catch (IOException e) {
      // the cause may tell a pod about the file system of its node
      LOG.atWarn()
          .addKeyValue("volume", mount.volume().name())
          .addKeyValue("container", container)
          .addKeyValue("error", e.toString())
          .log("subPath of a volume cannot be used");
      throw new ContentException(
          "failed to prepare subPath for volumeMount \"%s\" of container \"%s\""
              .formatted(mount.volume().name(), container));
    }
  }

  private static ContainerMount mounted(
      Planned mount, Path path, VolumePaths.@Nullable Found found) {
    return new ContainerMount(
        mount.volume().name(),
        mount.path(),
        path,
        mount.readOnly(),
        mount.recursiveReadOnly(),
        mount.propagation(),
        found == null ? null : found.identity());
  }

  /**
   * Copies a part of a volume that only vertlet writes. An instance of the container keeps its copy
   * when the volume changes, as it keeps a bind mount; the next instance has a new one.
   */
  private Path copy(Planned mount, Path root) throws IOException {
    Path target = directory.subPath(mount.volume().name(), container, mount.index());
    VersionedDirectory.delete(target);
    Files.createDirectories(target);
    Path version = new VersionedDirectory(root).current();
    Path from = (version == null ? root : version).resolve(mount.subPath()).normalize();
    Path into = target.resolve("content");
    if (!Files.exists(from)) {
      Files.createDirectory(into);
      FileModes.set(into, DIRECTORY_MODE);
      return into;
    }
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        Files.copy(
            path,
            path.equals(from) ? into : into.resolve(from.relativize(path)),
            StandardCopyOption.COPY_ATTRIBUTES,
            LinkOption.NOFOLLOW_LINKS);
      }
    }
    return into;
  }
}
