package dev.vertlet.model.resource;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resources that a node has granted to a pod. After a resize they differ from the spec's until the
 * node has room.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/allocation/allocation_manager.go">
 *     UpdatePodFromAllocation, kubelet 1.36.3</a>
 */
public final class Allocation {
  private Allocation() {}

  /**
   * Returns the pod with the granted resources in place of the requested ones. Ephemeral containers
   * have no resources.
   *
   * @param granted resources of a container by its name; null if it gets what it requests
   * @return {@code desired} itself without a difference
   */
  public static PodView of(PodView desired, Function<String, @Nullable ResourcesView> granted) {
    PodSpecView spec = desired.spec();
    List<ContainerView> init = granted(spec.initContainers(), granted);
    List<ContainerView> regular = granted(spec.containers(), granted);
    if (init == spec.initContainers() && regular == spec.containers()) {
      return desired;
    }
    PodSpecView made = spec.withContainers(init, regular);
    PlacementView placement = spec.placement();
    return desired.withSpec(
        made.withPlacement(placement.withRequests(requests(placement.requests(), spec, made))));
  }

  /**
   * Returns the pod as an earlier agent had granted it, restored from its status, the only record
   * of it. The status shows the limits that a container has. They are the granted ones, unless a
   * resize was in progress: then the spec was granted if the resize was of the newest generation;
   * otherwise the grant is unknown, and the limits are granted again.
   */
  public static PodView shown(PodView desired) {
    PodStatusView status = desired.status();
    boolean pending = status.condition(StatusPatch.RESIZE_PENDING) != null;
    boolean limits = !inProgress(desired);
    if (!pending
        && isGranted(desired.spec().containers(), status.containerStatuses(), limits)
        && isGranted(desired.spec().initContainers(), status.initContainerStatuses(), limits)) {
      return desired;
    }
    return of(
        desired,
        name -> {
          ContainerStatusView shown = find(status, name);
          if (shown == null || shown.resources() == null) {
            return null;
          }
          return new ResourcesView(shown.allocatedResources(), shown.resources().limits());
        });
  }

  /**
   * Whether the current spec was granted, although the containers may not have its resources yet.
   */
  private static boolean inProgress(PodView desired) {
    ConditionView shown = desired.status().condition(StatusPatch.RESIZE_IN_PROGRESS);
    Long granted = shown == null ? null : shown.observedGeneration();
    return shown != null && (granted == null || granted >= desired.generation());
  }

  private static boolean isGranted(
      List<ContainerView> containers, List<ContainerStatusView> statuses, boolean limits) {
    for (ContainerView container : containers) {
      ContainerStatusView shown = find(statuses, container.name());
      ResourcesView has = shown == null ? null : shown.resources();
      if (shown == null || has == null) {
        continue;
      }
      ResourcesView asked = container.resources();
      if (!shown.allocatedResources().equals(asked.requests())
          || (limits && !has.limits().equals(asked.limits()))) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable ContainerStatusView find(PodStatusView status, String name) {
    ContainerStatusView found = find(status.containerStatuses(), name);
    return found == null ? find(status.initContainerStatuses(), name) : found;
  }

  private static @Nullable ContainerStatusView find(
      List<ContainerStatusView> statuses, String name) {
    for (ContainerStatusView status : statuses) {
      if (status.name().equals(name)) {
        return status;
      }
    }
    return null;
  }

  private static List<ContainerView> granted(
      List<ContainerView> containers, Function<String, @Nullable ResourcesView> granted) {
    List<ContainerView> made = containers;
    for (int i = 0; i < containers.size(); i++) {
      ContainerView container = containers.get(i);
      ResourcesView has = granted.apply(container.name());
      if (has != null && !has.sameAmounts(container.resources())) {
        made = made == containers ? new ArrayList<>(containers) : made;
        made.set(
            i,
            container.withResources(
                new ResourcesView(
                    has.requests(), has.limits(), container.resources().podLimits())));
      }
    }
    return made;
  }

  /** Total requests; pod-level resources take precedence over those of containers. */
  private static PodRequests requests(PodRequests asked, PodSpecView desired, PodSpecView made) {
    if (desired.containers().stream().anyMatch(c -> !c.resources().podLimits().isEmpty())) {
      return asked;
    }
    PodRequests before = sum(desired);
    PodRequests after = sum(made);
    return new PodRequests(
        asked.milliCpu() - before.milliCpu() + after.milliCpu(),
        asked.memory() - before.memory() + after.memory(),
        asked.ephemeralStorage(),
        asked.others());
  }

  private static PodRequests sum(PodSpecView spec) {
    RequestTally tally = new RequestTally();
    spec.containers().forEach(c -> tally.regular(c.resources().requests()));
    spec.initContainers().forEach(c -> tally.init(c.resources().requests(), c.sidecar()));
    return tally.requests(Map.of(), Map.of());
  }
}
