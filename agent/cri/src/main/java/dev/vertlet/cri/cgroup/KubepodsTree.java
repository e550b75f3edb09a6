package dev.vertlet.cri.cgroup;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.Cgroups;
import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.host.files.Directories;
import dev.vertlet.model.pod.QosClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Groups of pods as a kubelet lays them out: {@code ROOT/kubepods/podUID} for Guaranteed pods, and
 * {@code ROOT/kubepods/burstable/podUID} and {@code ROOT/kubepods/besteffort/podUID}. Every method
 * but {@link #path} blocks; calls must not overlap.
 *
 * @param limited groups at the root in the hierarchies that limit CPU, memory or processes
 * @param mounts all hierarchies: in each of cgroup v1 the runtime makes groups for containers, and
 *     leaves those above them
 * @param root absolute path in the hierarchies
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/cm/pod_container_manager_linux.go">
 *     podContainerManagerImpl, kubelet 1.36.3</a>
 */
record KubepodsTree(Cgroups limited, List<Path> mounts, String root) {
  private static final String KUBEPODS = "kubepods";
  private static final String POD = "pod";

  KubepodsTree {
    mounts = List.copyOf(mounts);
  }

  /**
   * Finds the hierarchies, and makes the groups of the QoS classes.
   *
   * @param lines in the form of {@code /proc/mounts}
   * @throws IOException if no hierarchy can be written
   */
  static KubepodsTree open(List<String> lines, String root) throws IOException {
    List<Path> mounts = new ArrayList<>();
    for (String line : lines) {
      String[] fields = line.split(" ");
      if (fields.length > 3 && (fields[2].equals("cgroup") || fields[2].equals("cgroup2"))) {
        mounts.add(Path.of(fields[1]));
      }
    }
    Cgroups limited = Cgroups.open(lines, root);
    if (!limited.available()) {
      throw new IOException("no control group " + root + " can be used: " + limited.problem());
    }
    KubepodsTree tree = new KubepodsTree(limited, mounts, root);
    for (QosClass qos : List.of(QosClass.BURSTABLE, QosClass.BEST_EFFORT)) {
      for (Cgroup group : limited.at(KUBEPODS, name(qos))) {
        create(group, 2);
        group.shares(ContainerLimits.LEAST_SHARES);
      }
    }
    tree.weighBurstable();
    return tree;
  }

  private static String name(QosClass qos) {
    return qos.name().toLowerCase(Locale.ROOT).replace("_", "");
  }

  private static String[] names(QosClass qos, String uid) {
    return qos == QosClass.GUARANTEED
        ? new String[] {KUBEPODS, POD + uid}
        : new String[] {KUBEPODS, name(qos), POD + uid};
  }

  /** Path of a pod's group in every hierarchy, as a runtime takes it for a sandbox's parent. */
  String path(QosClass qos, String uid) {
    return above(qos) + "/" + POD + uid;
  }

  /** Path of the group above the pods of a class. */
  private String above(QosClass qos) {
    String base = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
    String kubepods = base + "/" + KUBEPODS;
    return qos == QosClass.GUARANTEED ? kubepods : kubepods + "/" + name(qos);
  }

  private static Path base(Cgroup group, int levels) {
    Cgroup at = group;
    for (int i = 0; i < levels; i++) {
      at = at.parent();
    }
    return at.directory();
  }

  /**
   * Makes the group of a pod, or changes its limits.
   *
   * @param podPids most processes and threads; -1 for no limit
   */
  void limit(QosClass qos, String uid, ContainerLimits limits, long podPids) throws IOException {
    String[] names = names(qos, uid);
    for (Cgroup group : limited.at(names)) {
      create(group, names.length);
      group.limitTotal(limits);
      group.limitPids(podPids);
    }
    if (qos == QosClass.BURSTABLE) {
      weighBurstable();
    }
  }

  /** Gives the group of a pod these limits where they are larger than its own. */
  void grow(QosClass qos, String uid, ContainerLimits limits) throws IOException {
    String[] names = names(qos, uid);
    for (Cgroup group : limited.at(names)) {
      if (!create(group, names.length)) {
        group.limitTotal(group.limits().larger(limits));
      }
    }
  }

  /** Returns whether the group was not there. */
  private static boolean create(Cgroup group, int levels) throws IOException {
    boolean missing = !Files.exists(group.directory());
    Cgroups.create(base(group, levels), group);
    return missing;
  }

  /** Gives burstable pods together the weight of their requests. */
  private void weighBurstable() throws IOException {
    for (Cgroup group : limited.at(KUBEPODS, name(QosClass.BURSTABLE))) {
      long shares = 0;
      for (Path pod : groups(group.directory())) {
        try {
          shares += new Cgroup(pod, group.unified(), group.controllers()).shares();
        } catch (NoSuchFileException e) {
          // removed meanwhile by another agent
        }
      }
      group.shares(
          Math.min(Math.max(shares, ContainerLimits.LEAST_SHARES), ContainerLimits.MOST_SHARES));
    }
  }

  /**
   * Removes the group of a pod with the groups of its containers in all hierarchies.
   *
   * @throws IOException while a process is in one of them
   */
  void remove(String uid) throws IOException {
    for (Path mount : mounts) {
      for (QosClass qos : QosClass.values()) {
        removeTree(mount.resolve(path(qos, uid).substring(1)));
      }
    }
    weighBurstable();
  }

  /** UIDs of the pods that have a group in any hierarchy. */
  Set<String> uids() throws IOException {
    Set<String> uids = new HashSet<>();
    for (Path mount : mounts) {
      for (QosClass qos : QosClass.values()) {
        for (Path group : groups(mount.resolve(above(qos).substring(1)))) {
          String name = String.valueOf(group.getFileName());
          if (name.startsWith(POD)) {
            uids.add(name.substring(POD.length()));
          }
        }
      }
    }
    return uids;
  }

  /** Removes the groups above those of pods, unless other pods are there. */
  void leave() {
    for (Path mount : mounts) {
      Path base = mount.resolve(root.substring(1));
      for (QosClass qos : List.of(QosClass.BURSTABLE, QosClass.BEST_EFFORT)) {
        Cgroups.removeIfUnused(base.resolve(KUBEPODS).resolve(name(qos)));
      }
      Cgroups.removeIfUnused(base.resolve(KUBEPODS));
      if (!base.equals(mount)) {
        Cgroups.removeIfUnused(base);
      }
    }
  }

  private static List<Path> groups(Path above) throws IOException {
    return Directories.children(above).stream().filter(Files::isDirectory).toList();
  }

  private static void removeTree(Path group) throws IOException {
    for (Path below : groups(group)) {
      removeTree(below);
    }
    // files in it are the kernel's, and go with it
    Files.deleteIfExists(group);
  }
}
