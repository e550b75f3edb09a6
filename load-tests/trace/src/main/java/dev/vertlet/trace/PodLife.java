package dev.vertlet.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one pod's life. A pod has several records in a trace while it lives; the last
 * one with its {@link PodIdentity#id} holds and repeats all that the earlier ones said.
 *
 * @param node null until the pod is bound
 * @param containers init containers first, each in the order of the spec
 * @param usage null without metrics
 */
public record PodLife(
    PodIdentity identity,
    @Nullable String node,
    PodTimes times,
    PodOutcome outcome,
    List<ContainerLife> containers,
    PodDemand demand,
    @Nullable PodUsage usage) {

  public PodLife {
    containers = List.copyOf(containers);
  }
}
