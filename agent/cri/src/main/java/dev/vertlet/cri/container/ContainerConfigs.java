package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.LinuxResources;
import dev.vertlet.cri.sandbox.LogPaths;
import dev.vertlet.cri.sandbox.PodLabels;
import dev.vertlet.cri.sandbox.PodMarks;
import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.CommonMessages.KeyValue;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.ContainerMessages.ContainerConfig;
import dev.vertlet.cri.wire.ContainerMessages.ContainerMetadata;
import dev.vertlet.cri.wire.ContainerMessages.LinuxContainerConfig;
import dev.vertlet.cri.wire.ContainerMessages.Mount;
import dev.vertlet.cri.wire.ContainerMessages.MountPropagation;
import dev.vertlet.cri.wire.ContainerMessages.Signal;
import dev.vertlet.host.cgroup.OomScores;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerStart;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the configuration of a container, field by field as a kubelet does.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_container.go">
 *     generateContainerConfig, kubelet 1.36.3</a>
 */
final class ContainerConfigs {
  /** A file that the runtime makes from the sandbox's name servers. */
  private static final String RESOLVER = "/etc/resolv.conf";

  private final PodMarks marks;
  private final HostSettings host;
  private final SecurityContexts contexts;
  private final List<Long> hugepages;
  private final MemoryControls memory;

  /**
   * @param hugepages sizes that the host has, in bytes
   * @param memory control files that the host has
   */
  ContainerConfigs(
      PodMarks marks,
      HostSettings host,
      MaskedPaths paths,
      List<Long> hugepages,
      MemoryControls memory) {
    this.marks = marks;
    this.host = host;
    this.contexts = new SecurityContexts(paths, host.seccompDirectory(), host.seccompDefault());
    this.hugepages = List.copyOf(hugepages);
    this.memory = memory;
  }

  /**
   * Returns the configuration.
   *
   * @param groups of the pod's volumes
   * @param target id of the container whose processes an ephemeral container sees; null for none
   * @throws IllegalArgumentException with a kubelet's message for what cannot be configured
   */
  ContainerConfig of(
      ContainerStart start, ImageUser user, List<Long> groups, @Nullable String target) {
    PodView pod = start.view();
    ContainerView container = start.container();
    String name = container.name();
    JsonObject json = start.pod().json().toJsonObject();
    user.check(
        start.definition().security(),
        pod.name() + "_" + pod.namespace() + "(" + pod.uid() + ")",
        name);
    Map<String, String> labels = new HashMap<>(PodLabels.container(pod.ref(), name));
    labels.putAll(marks.of(pod.nodeName()));
    return new ContainerConfig(
        new ContainerMetadata(name, start.attempt()),
        new ImageSpec(start.imageId(), Map.of(), container.image(), "", ""),
        container.command().command(),
        container.command().args(),
        start.definition().workingDirectory(),
        environment(start.environment()),
        mounts(start.mounts()),
        List.of(),
        labels,
        ContainerAnnotations.of(json, name, container.image(), start.attempt()),
        LogPaths.relative(name, start.attempt()),
        start.definition().stdin(),
        start.definition().stdinOnce(),
        start.definition().tty(),
        new LinuxContainerConfig(
            resources(pod, container),
            contexts.of(start.pod(), start.definition().security(), user, groups, target)),
        List.of(),
        stopSignal(json, name));
  }

  /** Resources of a container, also for a change while it runs. */
  LinuxContainerResources resources(PodView pod, ContainerView container) {
    ResourcesView resources = container.resources();
    return memory.addTo(
        LinuxResources.of(
            resources.requests().get("cpu"),
            limit(resources, "cpu"),
            limit(resources, "memory"),
            OomScores.of(pod, container, host.memory()),
            HugepageLimits.of(resources, hugepages),
            Map.of()));
  }

  private static @Nullable String limit(ResourcesView resources, String resource) {
    return resources.limits().getOrDefault(resource, resources.podLimits().get(resource));
  }

  private static List<KeyValue> environment(Map<String, String> variables) {
    List<KeyValue> pairs = new ArrayList<>();
    variables.forEach((name, value) -> pairs.add(new KeyValue(name, Buffer.buffer(value))));
    return pairs;
  }

  private static List<Mount> mounts(List<ContainerMount> mounts) {
    List<Mount> all = new ArrayList<>();
    for (ContainerMount mount : mounts) {
      if (mount.volume().isEmpty() && mount.containerPath().equals(RESOLVER)) {
        continue;
      }
      all.add(
          new Mount(
              mount.containerPath(),
              mount.hostPath().toString(),
              mount.readOnly(),
              false,
              propagation(mount.propagation()),
              List.of(),
              List.of(),
              mount.recursiveReadOnly(),
              null,
              ""));
    }
    return all;
  }

  private static MountPropagation propagation(ContainerMount.Propagation propagation) {
    return switch (propagation) {
      case PRIVATE -> MountPropagation.PROPAGATION_PRIVATE;
      case HOST_TO_CONTAINER -> MountPropagation.PROPAGATION_HOST_TO_CONTAINER;
      case BIDIRECTIONAL -> MountPropagation.PROPAGATION_BIDIRECTIONAL;
    };
  }

  private static Signal stopSignal(JsonObject pod, String container) {
    String name =
        ContainerAnnotations.container(pod, container)
            .getJsonObject("lifecycle", new JsonObject())
            .getString("stopSignal");
    if (name == null) {
      return Signal.RUNTIME_DEFAULT;
    }
    try {
      return Signal.valueOf(name.replace("+", "PLUS").replace("-", "MINUS"));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("unknown stop signal \"" + name + "\"", e);
    }
  }
}
