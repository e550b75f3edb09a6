package dev.vertlet.process;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.host.files.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where containers have their control groups: {@code PATH/NODE/POD/CONTAINER} in each hierarchy.
 * Every method but {@link #of} blocks.
 *
 * @param all hierarchies with their groups at the path
 */
record ContainerCgroups(Cgroups all) {
  /** The groups of a container, which need not exist. */
  List<Cgroup> of(String node, String podUid, String id) {
    return all.at(node, podUid, id);
  }

  /**
   * Creates groups of a container.
   *
   * @param podPids most processes and threads of the pod; -1 for no limit
   */
  static void create(List<Cgroup> groups, ContainerLimits limits, long podPids) throws IOException {
    for (Cgroup group : groups) {
      Cgroup pod = group.parent();
      Cgroups.create(pod.parent().parent().directory(), pod);
      pod.limitPids(podPids);
      Files.createDirectories(group.directory());
      group.limit(limits);
    }
  }

  /** Removes what containers of a node have left that this agent does not know. */
  void sweep(String node) throws IOException {
    for (Cgroup base : all.bases()) {
      for (Path pod : groups(base.directory().resolve(node))) {
        for (Path container : groups(pod)) {
          Cgroups.removeIfUnused(container);
        }
        Cgroups.removeIfUnused(pod);
      }
    }
  }

  /** Removes what is above the containers of a node, unless some run on. */
  void leave(String node) {
    for (Cgroup base : all.bases()) {
      Cgroups.removeIfUnused(base.directory().resolve(node));
      Cgroups.removeIfUnused(base.directory());
    }
  }

  private static List<Path> groups(Path above) throws IOException {
    return Directories.children(above).stream().filter(Files::isDirectory).toList();
  }
}
