package dev.vertlet.process;

import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.host.cgroup.OomScores;
import dev.vertlet.host.node.Machine;
import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.ContainerDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.failure.ProviderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides how an instance is started.
 *
 * @param full null if the runtime was given the view alone
 */
record Launch(
    PodView pod,
    ContainerView container,
    int attempt,
    String imageId,
    Map<String, String> environment,
    @Nullable ContainerStart full) {
  private static final String DEFAULT_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /** Variable with the directory in which a container finds its mounts. */
  static final String ROOT = "VERTLET_ROOT";

  /** Variable that says how a container sees its mounts. */
  static final String MODE = "VERTLET_MOUNTS";

  static Launch of(ContainerStart start) {
    return new Launch(
        start.view(),
        start.container(),
        start.attempt(),
        start.imageId(),
        start.environment(),
        start);
  }

  boolean tty() {
    return full == null ? container.tty() : full.definition().tty();
  }

  boolean stdin() {
    return full != null && full.definition().stdin();
  }

  List<ContainerMount> mounts() {
    return full == null ? List.of() : full.mounts();
  }

  /** The program with its arguments, as Kubernetes combines those of pod and image. */
  List<String> command(ImageRule image) {
    List<String> whole = new ArrayList<>(container.command().command());
    if (whole.isEmpty()) {
      whole.addAll(image.command());
    }
    whole.addAll(container.command().args());
    if (whole.isEmpty()) {
      throw new ProviderException(
          ProviderException.Kind.TEMPORARY, "CreateContainerError", "no command specified");
    }
    return whole;
  }

  ContainerLimits limits() {
    return ContainerLimits.of(container.resources());
  }

  ContainerUserView user(ContainerUsers users) {
    return full == null ? users.byView(container.user()) : users.of(full);
  }

  /**
   * Returns the definition for the shim.
   *
   * @param links directory with links to what is mounted, for a shim without mount namespaces
   */
  byte[] definition(
      StoredContainer stored,
      ImageRule image,
      List<String> command,
      Path links,
      ProcessOptions options,
      MountMode mode) {
    Definition definition =
        new Definition()
            .with("id", stored.bareId())
            .withAll("arg", command)
            .with("uid", stored.user().uid())
            .with("gid", stored.user().gid())
            .withAll("group", stored.user().supplementalGroups())
            .with("tty", tty())
            .with("stdin", stdin())
            .with("oomScoreAdj", OomScores.of(pod, container, Machine.memoryBytes()))
            .with("logSize", options.logBytes())
            .with("logFiles", options.logFiles());
    environment(stored, links, mode)
        .forEach((name, value) -> definition.with("env", name + "=" + value));
    if (image.root() != null) {
      definition.with("root", image.root());
    }
    ContainerDefinition full = this.full == null ? null : this.full.definition();
    if (full != null) {
      definition.with("stdinOnce", full.stdinOnce());
      if (!full.workingDirectory().isEmpty()) {
        definition.with("cwd", full.workingDirectory());
      }
      definition.with(
          "noNewPrivileges", Boolean.FALSE.equals(full.security().allowPrivilegeEscalation()));
    }
    limit(stored, definition);
    if (mode.namespace()) {
      mount(definition.with("mounts", mode.kind()));
    }
    return definition.bytes();
  }

  private void limit(StoredContainer stored, Definition definition) {
    stored.cgroups().forEach(group -> definition.with("cgroup", group.directory()));
    long memory = limits().memoryBytes();
    if (memory >= 0
        && stored.cgroups().stream().noneMatch(group -> group.controllers().contains("memory"))) {
      definition.with("limit", "DATA:" + memory + ":" + memory);
    }
  }

  /** Adds the mounts, those of outer paths first. */
  private void mount(Definition definition) {
    List<ContainerMount> ordered = new ArrayList<>(mounts());
    ordered.sort(Comparator.comparingInt(mount -> Path.of(mount.containerPath()).getNameCount()));
    for (ContainerMount mount : ordered) {
      definition
          .with("source", mount.hostPath())
          .with("target", Path.of(mount.containerPath()).normalize())
          .with("readOnly", mount.readOnly());
      if (mount.identity() != null) {
        definition
            .with("device", mount.identity().device())
            .with("inode", mount.identity().inode());
      }
    }
  }

  private Map<String, String> environment(StoredContainer stored, Path links, MountMode mode) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("PATH", DEFAULT_PATH);
    if (tty()) {
      all.put("TERM", "xterm");
    }
    all.put("HOSTNAME", pod.name());
    all.putAll(environment);
    all.put(ROOT, mode.namespace() ? "/" : links.toString());
    all.put(MODE, mode.kind());
    all.put(MarkedProcesses.MARK, stored.bareId());
    return all;
  }
}
