package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.schema.Shape.Field;
import java.util.Set;

/**
 * Which values mean that a field is absent. In protobuf, clients in Go write every field that is no
 * pointer; what JSON says about those is {@code omitempty}.
 */
final class ZeroValues {
  /** Numbers and booleans of {@code k8s.io/api} 0.36 that are no pointers. */
  private static final Set<String> PLAIN =
      Set.of(
          "AttachedVolume.readOnly",
          "Container.stdin",
          "Container.stdinOnce",
          "Container.tty",
          "EphemeralContainerCommon.stdin",
          "EphemeralContainerCommon.stdinOnce",
          "EphemeralContainerCommon.tty",
          "ContainerPort.containerPort",
          "ContainerPort.hostPort",
          "CSIPersistentVolumeSource.readOnly",
          "Event.count",
          "Event.deprecatedCount",
          "EventSeries.count",
          "ISCSIVolumeSource.readOnly",
          "NFSVolumeSource.readOnly",
          "NodeCondition.observedGeneration",
          "NodeSpec.unschedulable",
          "ObjectMeta.generation",
          "PersistentVolumeClaimVolumeSource.readOnly",
          "PodCondition.observedGeneration",
          "PodDisruptionBudgetStatus.observedGeneration",
          "PodSpec.hostNetwork",
          "PodSpec.hostPID",
          "PodSpec.hostIPC",
          "PodStatus.observedGeneration",
          "Probe.initialDelaySeconds",
          "Probe.timeoutSeconds",
          "Probe.periodSeconds",
          "Probe.successThreshold",
          "Probe.failureThreshold",
          "ServicePort.nodePort",
          "ServiceSpec.healthCheckNodePort",
          "ServiceSpec.publishNotReadyAddresses",
          "ContainerStateTerminated.signal",
          "VolumeMount.readOnly");

  /** Texts of the same that are pointers, so that an empty one is set, or are shown when empty. */
  private static final Set<String> TEXTS =
      Set.of(
          "AppArmorProfile.localhostProfile",
          "CSIVolumeSource.fsType",
          "ClusterTrustBundleProjection.name",
          "ClusterTrustBundleProjection.signerName",
          "Container.restartPolicy",
          "ContainerStatus.image",
          "ContainerStatus.imageID",
          "ContainerStatus.stopSignal",
          "DeleteOptions.propagationPolicy",
          "EphemeralContainerCommon.restartPolicy",
          "GRPCAction.service",
          "HTTPHeader.value",
          "HostPathVolumeSource.type",
          "ISCSIVolumeSource.initiatorName",
          "LeaseSpec.holderIdentity",
          "LeaseSpec.preferredHolder",
          "LeaseSpec.strategy",
          "Lifecycle.stopSignal",
          "LoadBalancerIngress.ipMode",
          "PersistentVolumeClaimSpec.storageClassName",
          "PersistentVolumeClaimSpec.volumeAttributesClassName",
          "PersistentVolumeClaimSpec.volumeMode",
          "PodDNSConfigOption.value",
          "PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy",
          "PodResourceClaim.resourceClaimName",
          "PodResourceClaim.resourceClaimTemplateName",
          "PodResourceClaimStatus.resourceClaimName",
          "PodSchedulingGroup.podGroupName",
          "PodSecurityContext.fsGroupChangePolicy",
          "PodSecurityContext.seLinuxChangePolicy",
          "PodSecurityContext.supplementalGroupsPolicy",
          "PodSpec.hostnameOverride",
          "PodSpec.preemptionPolicy",
          "PodSpec.runtimeClassName",
          "Preconditions.resourceVersion",
          "PriorityClass.preemptionPolicy",
          "SeccompProfile.localhostProfile",
          "SecurityContext.procMount",
          "ServicePort.appProtocol",
          "ServiceSpec.internalTrafficPolicy",
          "ServiceSpec.ipFamilyPolicy",
          "ServiceSpec.loadBalancerClass",
          "ServiceSpec.trafficDistribution",
          "TopologySpreadConstraint.nodeAffinityPolicy",
          "TopologySpreadConstraint.nodeTaintsPolicy",
          "TypedLocalObjectReference.apiGroup",
          "TypedObjectReference.apiGroup",
          "TypedObjectReference.namespace",
          "VolumeMount.mountPropagation",
          "VolumeMount.recursiveReadOnly",
          "VolumeMountStatus.recursiveReadOnly",
          "WindowsSecurityContextOptions.gmsaCredentialSpec",
          "WindowsSecurityContextOptions.gmsaCredentialSpecName",
          "WindowsSecurityContextOptions.runAsUserName");

  /** All of whose texts are shown when empty. */
  private static final String INFO = "NodeSystemInfo";

  private ZeroValues() {}

  /** Whether a value stands for "not set". */
  static boolean meansAbsent(Shape parent, Field field, JsonNode value) {
    String name = parent.simpleName() + "." + field.name();
    if (value.isTextual() || value.isBinary()) {
      return value.asText().isEmpty() && !TEXTS.contains(name) && !parent.simpleName().equals(INFO);
    }
    boolean zero =
        (value.isBoolean() && !value.asBoolean()) || (value.isNumber() && value.asDouble() == 0);
    return zero && PLAIN.contains(name);
  }
}
