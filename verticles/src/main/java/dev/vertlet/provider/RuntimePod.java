package dev.vertlet.provider;

import dev.vertlet.model.PodRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime has of one pod.
 *
 * @param sandbox null when it is gone
 * @param containers the newest instance of each container, and those before that are still known,
 *     until {@link ContainerRuntime#removeContainer}
 */
public record RuntimePod(
    PodRef pod, String node, @Nullable SandboxRecord sandbox, List<ContainerRecord> containers) {
  public RuntimePod {
    containers = List.copyOf(containers);
  }
}
