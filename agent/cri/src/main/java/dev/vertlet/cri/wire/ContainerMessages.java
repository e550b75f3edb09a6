package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.CommonMessages.IDMapping;
import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.CommonMessages.Int64Value;
import dev.vertlet.cri.wire.CommonMessages.KeyValue;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.CommonMessages.NamespaceOption;
import dev.vertlet.cri.wire.CommonMessages.SELinuxOption;
import dev.vertlet.cri.wire.CommonMessages.SecurityProfile;
import dev.vertlet.cri.wire.CommonMessages.SupplementalGroupsPolicy;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages about containers. */
public final class ContainerMessages {
  private ContainerMessages() {}

  /** {@code MountPropagation} of the protocol. */
  public enum MountPropagation {
    PROPAGATION_PRIVATE,
    PROPAGATION_HOST_TO_CONTAINER,
    PROPAGATION_BIDIRECTIONAL
  }

  /** {@code Signal} of the protocol. */
  public enum Signal {
    RUNTIME_DEFAULT,
    SIGABRT,
    SIGALRM,
    SIGBUS,
    SIGCHLD,
    SIGCLD,
    SIGCONT,
    SIGFPE,
    SIGHUP,
    SIGILL,
    SIGINT,
    SIGIO,
    SIGIOT,
    SIGKILL,
    SIGPIPE,
    SIGPOLL,
    SIGPROF,
    SIGPWR,
    SIGQUIT,
    SIGSEGV,
    SIGSTKFLT,
    SIGSTOP,
    SIGSYS,
    SIGTERM,
    SIGTRAP,
    SIGTSTP,
    SIGTTIN,
    SIGTTOU,
    SIGURG,
    SIGUSR1,
    SIGUSR2,
    SIGVTALRM,
    SIGWINCH,
    SIGXCPU,
    SIGXFSZ,
    SIGRTMIN,
    SIGRTMINPLUS1,
    SIGRTMINPLUS2,
    SIGRTMINPLUS3,
    SIGRTMINPLUS4,
    SIGRTMINPLUS5,
    SIGRTMINPLUS6,
    SIGRTMINPLUS7,
    SIGRTMINPLUS8,
    SIGRTMINPLUS9,
    SIGRTMINPLUS10,
    SIGRTMINPLUS11,
    SIGRTMINPLUS12,
    SIGRTMINPLUS13,
    SIGRTMINPLUS14,
    SIGRTMINPLUS15,
    SIGRTMAXMINUS14,
    SIGRTMAXMINUS13,
    SIGRTMAXMINUS12,
    SIGRTMAXMINUS11,
    SIGRTMAXMINUS10,
    SIGRTMAXMINUS9,
    SIGRTMAXMINUS8,
    SIGRTMAXMINUS7,
    SIGRTMAXMINUS6,
    SIGRTMAXMINUS5,
    SIGRTMAXMINUS4,
    SIGRTMAXMINUS3,
    SIGRTMAXMINUS2,
    SIGRTMAXMINUS1,
    SIGRTMAX
  }

  /** {@code ContainerState} of the protocol. */
  public enum ContainerState {
    CONTAINER_CREATED,
    CONTAINER_RUNNING,
    CONTAINER_EXITED,
    CONTAINER_UNKNOWN
  }

  /** {@code Mount} of the protocol. */
  public record Mount(
      @Field(1) String containerPath,
      @Field(2) String hostPath,
      @Field(3) boolean readonly,
      @Field(4) boolean selinuxRelabel,
      @Field(5) MountPropagation propagation,
      @Field(value = 6, name = "uidMappings") List<IDMapping> uidMappings,
      @Field(value = 7, name = "gidMappings") List<IDMapping> gidMappings,
      @Field(8) boolean recursiveReadOnly,
      @Field(9) @Nullable ImageSpec image,
      @Field(10) String imageSubPath) {}

  /** {@code Capability} of the protocol. */
  public record Capability(
      @Field(1) List<String> addCapabilities,
      @Field(2) List<String> dropCapabilities,
      @Field(3) List<String> addAmbientCapabilities) {}

  /** {@code LinuxContainerSecurityContext} of the protocol. */
  public record LinuxContainerSecurityContext(
      @Field(1) @Nullable Capability capabilities,
      @Field(2) boolean privileged,
      @Field(3) @Nullable NamespaceOption namespaceOptions,
      @Field(4) @Nullable SELinuxOption selinuxOptions,
      @Field(5) @Nullable Int64Value runAsUser,
      @Field(12) @Nullable Int64Value runAsGroup,
      @Field(6) String runAsUsername,
      @Field(7) boolean readonlyRootfs,
      @Field(8) List<Long> supplementalGroups,
      @Field(17) SupplementalGroupsPolicy supplementalGroupsPolicy,
      @Field(11) boolean noNewPrivs,
      @Field(13) List<String> maskedPaths,
      @Field(14) List<String> readonlyPaths,
      @Field(15) @Nullable SecurityProfile seccomp,
      @Field(16) @Nullable SecurityProfile apparmor,
      @Field(9) String apparmorProfile) {}

  /** {@code LinuxContainerConfig} of the protocol. */
  public record LinuxContainerConfig(
      @Field(1) @Nullable LinuxContainerResources resources,
      @Field(2) @Nullable LinuxContainerSecurityContext securityContext) {}

  /** {@code LinuxContainerUser} of the protocol. */
  public record LinuxContainerUser(
      @Field(1) long uid, @Field(2) long gid, @Field(3) List<Long> supplementalGroups) {}

  /** {@code ContainerUser} of the protocol. */
  public record ContainerUser(@Field(1) @Nullable LinuxContainerUser linux) {}

  /** {@code ContainerMetadata} of the protocol. */
  public record ContainerMetadata(
      @Field(1) String name, @Field(value = 2, type = "uint32") int attempt) {}

  /** {@code Device} of the protocol. */
  public record Device(
      @Field(1) String containerPath, @Field(2) String hostPath, @Field(3) String permissions) {}

  /** {@code CDIDevice} of the protocol. */
  public record CDIDevice(@Field(1) String name) {}

  /** {@code ContainerConfig} of the protocol. */
  public record ContainerConfig(
      @Field(1) @Nullable ContainerMetadata metadata,
      @Field(2) @Nullable ImageSpec image,
      @Field(3) List<String> command,
      @Field(4) List<String> args,
      @Field(5) String workingDir,
      @Field(6) List<KeyValue> envs,
      @Field(7) List<Mount> mounts,
      @Field(8) List<Device> devices,
      @Field(9) Map<String, String> labels,
      @Field(10) Map<String, String> annotations,
      @Field(11) String logPath,
      @Field(12) boolean stdin,
      @Field(13) boolean stdinOnce,
      @Field(14) boolean tty,
      @Field(15) @Nullable LinuxContainerConfig linux,
      @Field(value = 17, name = "CDI_devices") List<CDIDevice> cdiDevices,
      @Field(18) Signal stopSignal) {}

  /** {@code CreateContainerRequest} of the protocol. */
  public record CreateContainerRequest(
      @Field(1) String podSandboxId,
      @Field(2) @Nullable ContainerConfig config,
      @Field(3) @Nullable PodSandboxConfig sandboxConfig) {}

  /** {@code CreateContainerResponse} of the protocol. */
  public record CreateContainerResponse(@Field(1) String containerId) {}

  /** {@code StartContainerRequest} of the protocol. */
  public record StartContainerRequest(@Field(1) String containerId) {}

  /** {@code StartContainerResponse} of the protocol. */
  public record StartContainerResponse() {}

  /** {@code StopContainerRequest} of the protocol. */
  public record StopContainerRequest(@Field(1) String containerId, @Field(2) long timeout) {}

  /** {@code StopContainerResponse} of the protocol. */
  public record StopContainerResponse() {}

  /** {@code RemoveContainerRequest} of the protocol. */
  public record RemoveContainerRequest(@Field(1) String containerId) {}

  /** {@code RemoveContainerResponse} of the protocol. */
  public record RemoveContainerResponse() {}

  /** {@code ContainerStateValue} of the protocol. */
  public record ContainerStateValue(@Field(1) ContainerState state) {}

  /** {@code ContainerFilter} of the protocol. */
  public record ContainerFilter(
      @Field(1) String id,
      @Field(2) @Nullable ContainerStateValue state,
      @Field(3) String podSandboxId,
      @Field(4) Map<String, String> labelSelector) {}

  /** {@code ListContainersRequest} of the protocol. */
  public record ListContainersRequest(@Field(1) @Nullable ContainerFilter filter) {}

  /** {@code Container} of the protocol. */
  public record Container(
      @Field(1) String id,
      @Field(2) String podSandboxId,
      @Field(3) @Nullable ContainerMetadata metadata,
      @Field(4) @Nullable ImageSpec image,
      @Field(5) String imageRef,
      @Field(6) ContainerState state,
      @Field(7) long createdAt,
      @Field(8) Map<String, String> labels,
      @Field(9) Map<String, String> annotations,
      @Field(10) String imageId) {}

  /** {@code ListContainersResponse} of the protocol. */
  public record ListContainersResponse(@Field(1) List<Container> containers) {}

  /** {@code ContainerStatusRequest} of the protocol. */
  public record ContainerStatusRequest(@Field(1) String containerId, @Field(2) boolean verbose) {}

  /** {@code ContainerResources} of the protocol. */
  public record ContainerResources(@Field(1) @Nullable LinuxContainerResources linux) {}

  /** {@code ContainerStatus} of the protocol. */
  public record ContainerStatus(
      @Field(1) String id,
      @Field(2) @Nullable ContainerMetadata metadata,
      @Field(3) ContainerState state,
      @Field(4) long createdAt,
      @Field(5) long startedAt,
      @Field(6) long finishedAt,
      @Field(7) int exitCode,
      @Field(8) @Nullable ImageSpec image,
      @Field(9) String imageRef,
      @Field(10) String reason,
      @Field(11) String message,
      @Field(12) Map<String, String> labels,
      @Field(13) Map<String, String> annotations,
      @Field(14) List<Mount> mounts,
      @Field(15) String logPath,
      @Field(16) @Nullable ContainerResources resources,
      @Field(17) String imageId,
      @Field(18) @Nullable ContainerUser user,
      @Field(19) Signal stopSignal) {}

  /** {@code ContainerStatusResponse} of the protocol. */
  public record ContainerStatusResponse(
      @Field(1) @Nullable ContainerStatus status, @Field(2) Map<String, String> info) {}

  /** {@code UpdateContainerResourcesRequest} of the protocol. */
  public record UpdateContainerResourcesRequest(
      @Field(1) String containerId,
      @Field(2) @Nullable LinuxContainerResources linux,
      @Field(4) Map<String, String> annotations) {}

  /** {@code UpdateContainerResourcesResponse} of the protocol. */
  public record UpdateContainerResourcesResponse() {}

  /** {@code ReopenContainerLogRequest} of the protocol. */
  public record ReopenContainerLogRequest(@Field(1) String containerId) {}

  /** {@code ReopenContainerLogResponse} of the protocol. */
  public record ReopenContainerLogResponse() {}

  /** {@code CheckpointContainerRequest} of the protocol. */
  public record CheckpointContainerRequest(
      @Field(1) String containerId, @Field(2) String location, @Field(3) long timeout) {}

  /** {@code CheckpointContainerResponse} of the protocol. */
  public record CheckpointContainerResponse() {}
}
