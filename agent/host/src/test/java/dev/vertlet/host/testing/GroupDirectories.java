package dev.vertlet.host.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Directories that stand for the control groups of the kernel.
 *
 * @param root empty at first
 */
public record GroupDirectories(Path root) {
  /** Creates a group as the kernel does, with its files. */
  public Path group(String path, String... files) throws IOException {
    Path group = Files.createDirectories(root.resolve(path));
    for (String file : files) {
      Files.createFile(group.resolve(file));
    }
    return group;
  }

  /**
   * Creates a hierarchy of version 2 at {@code u} that has these controllers.
   *
   * @param group path of a group that can be written
   * @return lines in the form of {@code /proc/mounts}
   */
  public List<String> versionTwo(String controllers, String group) throws IOException {
    Path mount = group("u", "cgroup.subtree_control");
    Files.writeString(mount.resolve("cgroup.controllers"), controllers + "\n");
    group("u" + group, "cgroup.procs");
    return List.of("cgroup2 " + mount + " cgroup2 rw 0 0");
  }

  /**
   * Creates a hierarchy of version 1 at the name of its first controller.
   *
   * @param group path of a group that can be written
   * @return a line in the form of {@code /proc/mounts}
   */
  public String versionOne(String controllers, String group) throws IOException {
    String name = controllers.split(",")[0];
    group(name + group, "cgroup.procs");
    return "cgroup " + root.resolve(name) + " cgroup rw," + controllers + " 0 0";
  }
}
