package dev.vertlet.host.cgroup;

import dev.vertlet.host.files.FileFailures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Control groups below one path, in each hierarchy that this user may write. Every static method
 * blocks.
 *
 * @param bases groups at the path; empty if there are none to write
 * @param problem why a controller is missing; empty if none is
 */
public record Cgroups(List<Cgroup> bases, String problem) {
  private static final List<String> CONTROLLERS = List.of("cpu", "memory", "pids");
  private static final String CHILDREN = "cgroup.subtree_control";

  public Cgroups {
    bases = List.copyOf(bases);
  }

  /** No groups, because of a setting. */
  public static final Cgroups OFF = new Cgroups(List.of(), "they are turned off");

  /**
   * Finds the hierarchies and creates the path in them.
   *
   * @param mounts lines in the form of {@code /proc/mounts}
   * @param path absolute, in the hierarchies
   */
  public static Cgroups open(List<String> mounts, String path) {
    Map<Path, Set<String>> first = new LinkedHashMap<>();
    Set<String> found = new TreeSet<>();
    List<Path> unified = new ArrayList<>();
    for (String line : mounts) {
      String[] fields = line.split(" ");
      if (fields.length > 3 && fields[2].equals("cgroup2")) {
        unified.add(Path.of(fields[1]));
      } else if (fields.length > 3 && fields[2].equals("cgroup")) {
        Set<String> own = new LinkedHashSet<>(CONTROLLERS);
        own.retainAll(List.of(fields[3].split(",")));
        if (!own.isEmpty() && found.addAll(own)) {
          first.put(Path.of(fields[1]), own);
        }
      }
    }
    List<String> problems = new ArrayList<>();
    List<Cgroup> bases = new ArrayList<>();
    first.forEach(
        (mount, controllers) ->
            add(bases, problems, mount, path, new Cgroup(mount, false, List.copyOf(controllers))));
    if (found.size() < CONTROLLERS.size() && !unified.isEmpty()) {
      Path mount = unified.get(0);
      List<String> left = CONTROLLERS.stream().filter(each -> !found.contains(each)).toList();
      add(bases, problems, mount, path, new Cgroup(mount, true, left));
    } else if (found.isEmpty()) {
      problems.add("no cgroup file system is mounted");
    }
    return new Cgroups(bases, String.join("; ", problems));
  }

  private static void add(
      List<Cgroup> bases, List<String> problems, Path mount, String path, Cgroup top) {
    try {
      Path base = mount.resolve(path.substring(1));
      List<String> controllers = top.controllers();
      if (top.unified()) {
        List<String> known = List.of(read(mount.resolve("cgroup.controllers")).split(" "));
        controllers = controllers.stream().filter(known::contains).toList();
        if (controllers.isEmpty()) {
          throw new IOException(mount + " has none of " + String.join(", ", top.controllers()));
        }
        passOn(mount, controllers);
      }
      Cgroup own = new Cgroup(base, top.unified(), controllers);
      create(mount, own);
      if (!Files.isWritable(base.resolve("cgroup.procs"))) {
        throw new IOException(base + " is not writable");
      }
      bases.add(own);
    } catch (IOException e) {
      problems.add(FileFailures.message(e));
    }
  }

  /** Creates a group with its parents below {@code from}; all of v2 pass their controllers on. */
  public static void create(Path from, Cgroup group) throws IOException {
    Path at = from;
    for (Path name : from.relativize(group.directory())) {
      at = at.resolve(name);
      Files.createDirectories(at);
      if (group.unified()) {
        passOn(at, group.controllers());
      }
    }
  }

  private static void passOn(Path group, List<String> controllers) throws IOException {
    Path file = group.resolve(CHILDREN);
    List<String> there = Files.exists(file) ? List.of(read(file).split(" ")) : List.of();
    if (!there.containsAll(controllers)) {
      write(file, "+" + String.join(" +", controllers));
    }
  }

  /** Whether there is any group to write. */
  public boolean available() {
    return !bases.isEmpty();
  }

  /** Whether containers can have a limit of this kind. */
  public boolean limits(String controller) {
    return bases.stream().anyMatch(base -> base.controllers().contains(controller));
  }

  /** {@code v1}, {@code v2} or {@code v1 and v2}; empty without groups. */
  public String version() {
    Set<String> versions = new TreeSet<>();
    bases.forEach(base -> versions.add(base.unified() ? "v2" : "v1"));
    return String.join(" and ", versions);
  }

  /**
   * The groups at a path below, one in each hierarchy; they need not exist.
   *
   * @param names of the path, from the outermost to the group's own
   */
  public List<Cgroup> at(String... names) {
    String path = String.join("/", names);
    return bases.stream()
        .map(base -> new Cgroup(base.directory().resolve(path), base.unified(), base.controllers()))
        .toList();
  }

  /** Removes a group; the kernel refuses for one with processes or groups in it. */
  public static void removeIfUnused(Path group) {
    try {
      Files.deleteIfExists(group);
    } catch (IOException e) {
      // in use
    }
  }

  /** Returns the content of a group's file, without the end of its line. */
  public static String read(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  /** Writes in one call, as the kernel takes such files. */
  public static void write(Path file, String value) throws IOException {
    try {
      Files.writeString(file, value);
    } catch (IOException e) {
      throw new IOException("unable to write \"" + value + "\" to " + FileFailures.message(e), e);
    }
  }
}
