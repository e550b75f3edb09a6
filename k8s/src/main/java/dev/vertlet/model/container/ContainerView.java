package dev.vertlet.model.container;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a container's definition that vertlet uses.
 *
 * @param imagePullPolicy Always, IfNotPresent or Never, as the API server defaulted it
 * @param restartPolicy the container's own policy, or null for the pod's; an init container with
 *     {@code ALWAYS} is a sidecar
 * @param environment null if the definition has no variables
 * @param care its probes and hooks; null without any
 * @param command command and arguments
 * @param tty whether its first process has a terminal
 * @param resizePolicy whether a resize restarts it
 * @param exit handling of its exits
 * @param mounts volumes that it mounts
 * @param user its user on Linux, unless its image names one
 */
public record ContainerView(
    String name,
    String image,
    String imagePullPolicy,
    @Nullable RestartPolicy restartPolicy,
    @Nullable EnvironmentView environment,
    ResourcesView resources,
    @Nullable ContainerCare care,
    CommandView command,
    boolean tty,
    ResizePolicyView resizePolicy,
    ContainerExitView exit,
    MountsView mounts,
    ContainerUserView user) {
  /** Creates a container with the API's defaults for its exits, without mounts, running as root. */
  public ContainerView(
      String name,
      String image,
      String imagePullPolicy,
      @Nullable RestartPolicy restartPolicy,
      @Nullable EnvironmentView environment,
      ResourcesView resources,
      @Nullable ContainerCare care,
      CommandView command,
      boolean tty,
      ResizePolicyView resizePolicy) {
    this(
        name,
        image,
        imagePullPolicy,
        restartPolicy,
        environment,
        resources,
        care,
        command,
        tty,
        resizePolicy,
        ContainerExitView.DEFAULT,
        MountsView.none(name),
        ContainerUserView.ROOT);
  }

  /** Creates a container that is resized without a restart. */
  public ContainerView(
      String name,
      String image,
      String imagePullPolicy,
      @Nullable RestartPolicy restartPolicy,
      @Nullable EnvironmentView environment,
      ResourcesView resources,
      @Nullable ContainerCare care,
      CommandView command,
      boolean tty) {
    this(
        name,
        image,
        imagePullPolicy,
        restartPolicy,
        environment,
        resources,
        care,
        command,
        tty,
        ResizePolicyView.NONE_RESTARTS);
  }

  /** Creates a container with its image's command, without a terminal. */
  public ContainerView(
      String name,
      String image,
      String imagePullPolicy,
      @Nullable RestartPolicy restartPolicy,
      @Nullable EnvironmentView environment,
      ResourcesView resources,
      @Nullable ContainerCare care) {
    this(
        name,
        image,
        imagePullPolicy,
        restartPolicy,
        environment,
        resources,
        care,
        CommandView.NONE,
        false);
  }

  /** Creates a container without variables, resources, probes and hooks. */
  public ContainerView(
      String name, String image, String imagePullPolicy, @Nullable RestartPolicy restartPolicy) {
    this(name, image, imagePullPolicy, restartPolicy, null, ResourcesView.NONE, null);
  }

  /** Returns the same container in a pod with these pod-level limits. */
  public ContainerView withPodLimits(Map<String, String> podLimits) {
    return withResources(new ResourcesView(resources.requests(), resources.limits(), podLimits));
  }

  /** Returns the same container with other requests and limits. */
  public ContainerView withResources(ResourcesView other) {
    return with(environment, other, command, restartPolicy, exit, mounts, user);
  }

  private ContainerView with(
      @Nullable EnvironmentView otherEnvironment,
      ResourcesView otherResources,
      CommandView otherCommand,
      @Nullable RestartPolicy otherPolicy,
      ContainerExitView otherExit,
      MountsView otherMounts,
      ContainerUserView otherUser) {
    return new ContainerView(
        name,
        image,
        imagePullPolicy,
        otherPolicy,
        otherEnvironment,
        otherResources,
        care,
        otherCommand,
        tty,
        resizePolicy,
        otherExit,
        otherMounts,
        otherUser);
  }

  /** Returns the same container with another environment. */
  public ContainerView withEnvironment(EnvironmentView other) {
    return with(other, resources, command, restartPolicy, exit, mounts, user);
  }

  /** Returns the same container with another command. */
  public ContainerView withCommand(CommandView other) {
    return with(environment, resources, other, restartPolicy, exit, mounts, user);
  }

  /**
   * Returns the same container with another restart policy, null for the pod's, and other rules.
   */
  public ContainerView withRestarts(@Nullable RestartPolicy policy, ContainerExitView rules) {
    return with(environment, resources, command, policy, rules, mounts, user);
  }

  /** Returns the same container with other mounts. */
  public ContainerView withMounts(MountsView others) {
    return with(environment, resources, command, restartPolicy, exit, others, user);
  }

  /** Returns the same container with another user. */
  public ContainerView withUser(ContainerUserView other) {
    return with(environment, resources, command, restartPolicy, exit, mounts, other);
  }

  /**
   * Whether the container is an init container that keeps running beside the regular ones
   * (KEP-753).
   */
  public boolean sidecar() {
    return restartPolicy == RestartPolicy.ALWAYS;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof ContainerView that
            && name.equals(that.name)
            && image.equals(that.image)
            && imagePullPolicy.equals(that.imagePullPolicy)
            && restartPolicy == that.restartPolicy
            && Objects.equals(environment, that.environment)
            && resources.equals(that.resources)
            && Objects.equals(care, that.care)
            && command.equals(that.command)
            && tty == that.tty
            && resizePolicy == that.resizePolicy
            && exit.equals(that.exit)
            && mounts.equals(that.mounts)
            && user.equals(that.user);
  }

  @Override
  public int hashCode() {
    int hash = name.hashCode();
    hash = 31 * hash + image.hashCode();
    hash = 31 * hash + imagePullPolicy.hashCode();
    hash = 31 * hash + Objects.hashCode(restartPolicy);
    hash = 31 * hash + Objects.hashCode(environment);
    hash = 31 * hash + resources.hashCode();
    hash = 31 * hash + Objects.hashCode(care);
    hash = 31 * hash + command.hashCode();
    hash = 31 * hash + Boolean.hashCode(tty);
    hash = 31 * hash + resizePolicy.ordinal();
    hash = 31 * hash + exit.hashCode();
    hash = 31 * hash + mounts.hashCode();
    return 31 * hash + user.hashCode();
  }
}
