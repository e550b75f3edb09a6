package dev.vertlet.provider.container;

import dev.vertlet.model.PodRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A runtime's state of one pod.
 *
 * @param sandbox null when it is gone
 * @param containers the newest instance of each container, and earlier ones until {@link
 *     ContainerRuntime#removeContainer}
 */
public record RuntimePod(
    PodRef pod, String node, @Nullable SandboxRecord sandbox, List<ContainerRecord> containers) {
  public RuntimePod {
    containers = List.copyOf(containers);
  }
}
