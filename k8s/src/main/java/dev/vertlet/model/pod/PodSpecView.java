package dev.vertlet.model.pod;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.RestartPolicy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a pod's spec that vertlet uses.
 *
 * @param hash 64-bit hash of the encoded spec: equal specs in one encoding have equal hashes, so a
 *     change is detected without keeping the whole spec
 * @param terminationGracePeriodSeconds 30 if absent, the API's default
 * @param activeDeadlineSeconds null if the pod may run for ever
 * @param readinessGates condition types that must be True before the pod is Ready
 * @param serviceAccountName empty if the server has set none
 * @param enableServiceLinks whether containers get variables for the services of their namespace;
 *     true if absent, the API's default
 * @param placement requirements on its node
 * @param network host name and DNS settings
 */
public record PodSpecView(
    long hash,
    RestartPolicy restartPolicy,
    long terminationGracePeriodSeconds,
    @Nullable Long activeDeadlineSeconds,
    boolean hostNetwork,
    int priority,
    List<String> readinessGates,
    List<ContainerView> initContainers,
    List<ContainerView> containers,
    List<ContainerView> ephemeralContainers,
    String serviceAccountName,
    boolean enableServiceLinks,
    PlacementView placement,
    NetworkView network) {
  /**
   * Creates a spec without a service account, with the API's default for service links, and without
   * requirements on its node or network settings.
   */
  public PodSpecView(
      long hash,
      RestartPolicy restartPolicy,
      long terminationGracePeriodSeconds,
      @Nullable Long activeDeadlineSeconds,
      boolean hostNetwork,
      int priority,
      List<String> readinessGates,
      List<ContainerView> initContainers,
      List<ContainerView> containers,
      List<ContainerView> ephemeralContainers) {
    this(
        hash,
        restartPolicy,
        terminationGracePeriodSeconds,
        activeDeadlineSeconds,
        hostNetwork,
        priority,
        readinessGates,
        initContainers,
        containers,
        ephemeralContainers,
        "",
        true,
        PlacementView.NONE,
        NetworkView.DEFAULT);
  }

  public PodSpecView {
    readinessGates = List.copyOf(readinessGates);
    initContainers = List.copyOf(initContainers);
    containers = List.copyOf(containers);
    ephemeralContainers = List.copyOf(ephemeralContainers);
  }

  /** Compares the hash first: different specs nearly always differ in it. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof PodSpecView that
            && hash == that.hash
            && restartPolicy == that.restartPolicy
            && terminationGracePeriodSeconds == that.terminationGracePeriodSeconds
            && Objects.equals(activeDeadlineSeconds, that.activeDeadlineSeconds)
            && hostNetwork == that.hostNetwork
            && priority == that.priority
            && readinessGates.equals(that.readinessGates)
            && initContainers.equals(that.initContainers)
            && containers.equals(that.containers)
            && ephemeralContainers.equals(that.ephemeralContainers)
            && serviceAccountName.equals(that.serviceAccountName)
            && enableServiceLinks == that.enableServiceLinks
            && placement.equals(that.placement)
            && network.equals(that.network);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }

  /** Returns the container of this name, of any kind; null if there is none. */
  public @Nullable ContainerView container(String name) {
    ContainerView found = find(containers, name);
    found = found == null ? find(initContainers, name) : found;
    return found == null ? find(ephemeralContainers, name) : found;
  }

  private static @Nullable ContainerView find(List<ContainerView> containers, String name) {
    for (ContainerView container : containers) {
      if (container.name().equals(name)) {
        return container;
      }
    }
    return null;
  }

  /**
   * Returns the same spec with other init and regular containers; the hash stays that of the
   * decoded spec.
   */
  public PodSpecView withContainers(List<ContainerView> init, List<ContainerView> regular) {
    return withContainers(init, regular, ephemeralContainers);
  }

  /**
   * Returns the same spec with other containers of all kinds; the hash stays that of the decoded
   * spec.
   */
  public PodSpecView withContainers(
      List<ContainerView> init, List<ContainerView> regular, List<ContainerView> ephemeral) {
    return new PodSpecView(
        hash,
        restartPolicy,
        terminationGracePeriodSeconds,
        activeDeadlineSeconds,
        hostNetwork,
        priority,
        readinessGates,
        init,
        regular,
        ephemeral,
        serviceAccountName,
        enableServiceLinks,
        placement,
        network);
  }

  /** Returns the same spec with other requirements on its node. */
  public PodSpecView withPlacement(PlacementView other) {
    return with(other, network);
  }

  /** Returns the same spec with other network settings. */
  public PodSpecView withNetwork(NetworkView other) {
    return with(placement, other);
  }

  private PodSpecView with(PlacementView otherPlacement, NetworkView otherNetwork) {
    return new PodSpecView(
        hash,
        restartPolicy,
        terminationGracePeriodSeconds,
        activeDeadlineSeconds,
        hostNetwork,
        priority,
        readinessGates,
        initContainers,
        containers,
        ephemeralContainers,
        serviceAccountName,
        enableServiceLinks,
        otherPlacement,
        otherNetwork);
  }
}
