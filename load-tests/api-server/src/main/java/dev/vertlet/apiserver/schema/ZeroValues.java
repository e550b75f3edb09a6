package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.schema.Shape.Field;
import java.util.Set;

/**
 * Which zeros in protobuf mean that a field is absent. Clients in Go write every field that is no
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

  private ZeroValues() {}

  /** Whether a value stands for "not set". */
  static boolean meansAbsent(Shape parent, Field field, JsonNode value) {
    if (value.isTextual() || value.isBinary()) {
      return value.asText().isEmpty();
    }
    boolean zero =
        (value.isBoolean() && !value.asBoolean()) || (value.isNumber() && value.asDouble() == 0);
    return zero && PLAIN.contains(parent.simpleName() + "." + field.name());
  }
}
