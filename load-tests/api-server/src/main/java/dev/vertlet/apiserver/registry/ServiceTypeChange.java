package dev.vertlet.apiserver.registry;

import java.util.List;

/**
 * Drops the fields that the new type of a Service has no use for. A field that the client has
 * changed together with the type stays, and validation refuses it.
 */
final class ServiceTypeChange {
  private ServiceTypeChange() {}

  static void dropDependentFields(ServiceSpec next, ServiceSpec old) {
    if (!old.isExternalName() && next.isExternalName()) {
      if (next.says(old, "clusterIP") && next.says(old, "clusterIPs")) {
        next.json().remove(List.of("clusterIP", "clusterIPs"));
      }
      dropUnchanged(next, old, "ipFamilies");
      dropUnchanged(next, old, "ipFamilyPolicy");
    }
    boolean noNewNodePorts = old.nodePorts().containsAll(next.nodePorts());
    if (old.usesNodePorts() && !next.usesNodePorts() && noNewNodePorts) {
      next.ports().forEach(port -> port.remove("nodePort"));
    }
    boolean sameCheck = next.healthCheckNodePort() == old.healthCheckNodePort();
    if (old.needsHealthCheck() && !next.needsHealthCheck() && sameCheck) {
      next.json().remove("healthCheckNodePort");
    }
    if (old.isLoadBalancer() && !next.isLoadBalancer()) {
      dropUnchanged(next, old, "allocateLoadBalancerNodePorts");
      dropUnchanged(next, old, "loadBalancerClass");
    }
    if (old.isExternallyAccessible() && !next.isExternallyAccessible()) {
      dropUnchanged(next, old, "externalTrafficPolicy");
    }
  }

  private static void dropUnchanged(ServiceSpec next, ServiceSpec old, String field) {
    if (next.says(old, field)) {
      next.json().remove(field);
    }
  }
}
