package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.CommonMessages.Int64Value;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.CommonMessages.NamespaceOption;
import dev.vertlet.cri.wire.CommonMessages.Protocol;
import dev.vertlet.cri.wire.CommonMessages.SELinuxOption;
import dev.vertlet.cri.wire.CommonMessages.SecurityProfile;
import dev.vertlet.cri.wire.CommonMessages.SupplementalGroupsPolicy;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages about sandboxes of pods. */
public final class SandboxMessages {
  private SandboxMessages() {}

  /** {@code PodSandboxState} of the protocol. */
  public enum PodSandboxState {
    SANDBOX_READY,
    SANDBOX_NOTREADY
  }

  /** {@code DNSConfig} of the protocol. */
  public record DNSConfig(
      @Field(1) List<String> servers,
      @Field(2) List<String> searches,
      @Field(3) List<String> options) {}

  /** {@code PortMapping} of the protocol. */
  public record PortMapping(
      @Field(1) Protocol protocol,
      @Field(2) int containerPort,
      @Field(3) int hostPort,
      @Field(4) String hostIp) {}

  /** {@code LinuxSandboxSecurityContext} of the protocol. */
  public record LinuxSandboxSecurityContext(
      @Field(1) @Nullable NamespaceOption namespaceOptions,
      @Field(2) @Nullable SELinuxOption selinuxOptions,
      @Field(3) @Nullable Int64Value runAsUser,
      @Field(8) @Nullable Int64Value runAsGroup,
      @Field(4) boolean readonlyRootfs,
      @Field(5) List<Long> supplementalGroups,
      @Field(11) SupplementalGroupsPolicy supplementalGroupsPolicy,
      @Field(6) boolean privileged,
      @Field(9) @Nullable SecurityProfile seccomp,
      @Field(10) @Nullable SecurityProfile apparmor) {}

  /** {@code LinuxPodSandboxConfig} of the protocol. */
  public record LinuxPodSandboxConfig(
      @Field(1) String cgroupParent,
      @Field(2) @Nullable LinuxSandboxSecurityContext securityContext,
      @Field(3) Map<String, String> sysctls,
      @Field(4) @Nullable LinuxContainerResources overhead,
      @Field(5) @Nullable LinuxContainerResources resources) {}

  /** {@code PodSandboxMetadata} of the protocol. */
  public record PodSandboxMetadata(
      @Field(1) String name,
      @Field(2) String uid,
      @Field(3) String namespace,
      @Field(value = 4, type = "uint32") int attempt) {}

  /** {@code PodSandboxConfig} of the protocol. */
  public record PodSandboxConfig(
      @Field(1) @Nullable PodSandboxMetadata metadata,
      @Field(2) String hostname,
      @Field(3) String logDirectory,
      @Field(4) @Nullable DNSConfig dnsConfig,
      @Field(5) List<PortMapping> portMappings,
      @Field(6) Map<String, String> labels,
      @Field(7) Map<String, String> annotations,
      @Field(8) @Nullable LinuxPodSandboxConfig linux) {}

  /** {@code RunPodSandboxRequest} of the protocol. */
  public record RunPodSandboxRequest(
      @Field(1) @Nullable PodSandboxConfig config, @Field(2) String runtimeHandler) {}

  /** {@code RunPodSandboxResponse} of the protocol. */
  public record RunPodSandboxResponse(@Field(1) String podSandboxId) {}

  /** {@code StopPodSandboxRequest} of the protocol. */
  public record StopPodSandboxRequest(@Field(1) String podSandboxId) {}

  /** {@code StopPodSandboxResponse} of the protocol. */
  public record StopPodSandboxResponse() {}

  /** {@code RemovePodSandboxRequest} of the protocol. */
  public record RemovePodSandboxRequest(@Field(1) String podSandboxId) {}

  /** {@code RemovePodSandboxResponse} of the protocol. */
  public record RemovePodSandboxResponse() {}

  /** {@code PodSandboxStatusRequest} of the protocol. */
  public record PodSandboxStatusRequest(@Field(1) String podSandboxId, @Field(2) boolean verbose) {}

  /** {@code PodIP} of the protocol. */
  public record PodIP(@Field(1) String ip) {}

  /** {@code PodSandboxNetworkStatus} of the protocol. */
  public record PodSandboxNetworkStatus(@Field(1) String ip, @Field(2) List<PodIP> additionalIps) {}

  /** {@code Namespace} of the protocol. */
  public record Namespace(@Field(2) @Nullable NamespaceOption options) {}

  /** {@code LinuxPodSandboxStatus} of the protocol. */
  public record LinuxPodSandboxStatus(@Field(1) @Nullable Namespace namespaces) {}

  /** {@code PodSandboxStatus} of the protocol. */
  public record PodSandboxStatus(
      @Field(1) String id,
      @Field(2) @Nullable PodSandboxMetadata metadata,
      @Field(3) PodSandboxState state,
      @Field(4) long createdAt,
      @Field(5) @Nullable PodSandboxNetworkStatus network,
      @Field(6) @Nullable LinuxPodSandboxStatus linux,
      @Field(7) Map<String, String> labels,
      @Field(8) Map<String, String> annotations,
      @Field(9) String runtimeHandler) {}

  /** {@code PodSandboxStatusResponse} of the protocol. */
  public record PodSandboxStatusResponse(
      @Field(1) @Nullable PodSandboxStatus status,
      @Field(2) Map<String, String> info,
      @Field(3) List<ContainerStatus> containersStatuses,
      @Field(4) long timestamp) {}

  /** {@code PodSandboxStateValue} of the protocol. */
  public record PodSandboxStateValue(@Field(1) PodSandboxState state) {}

  /** {@code PodSandboxFilter} of the protocol. */
  public record PodSandboxFilter(
      @Field(1) String id,
      @Field(2) @Nullable PodSandboxStateValue state,
      @Field(3) Map<String, String> labelSelector) {}

  /** {@code ListPodSandboxRequest} of the protocol. */
  public record ListPodSandboxRequest(@Field(1) @Nullable PodSandboxFilter filter) {}

  /** {@code PodSandbox} of the protocol. */
  public record PodSandbox(
      @Field(1) String id,
      @Field(2) @Nullable PodSandboxMetadata metadata,
      @Field(3) PodSandboxState state,
      @Field(4) long createdAt,
      @Field(5) Map<String, String> labels,
      @Field(6) Map<String, String> annotations,
      @Field(7) String runtimeHandler) {}

  /** {@code ListPodSandboxResponse} of the protocol. */
  public record ListPodSandboxResponse(@Field(1) List<PodSandbox> items) {}

  /** {@code UpdatePodSandboxResourcesRequest} of the protocol. */
  public record UpdatePodSandboxResourcesRequest(
      @Field(1) String podSandboxId,
      @Field(2) @Nullable LinuxContainerResources overhead,
      @Field(3) @Nullable LinuxContainerResources resources) {}

  /** {@code UpdatePodSandboxResourcesResponse} of the protocol. */
  public record UpdatePodSandboxResourcesResponse() {}
}
