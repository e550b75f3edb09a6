package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives one Service its cluster address and node ports. What is free follows from the stored
 * Services: there is no other record, so an aborted write leaves nothing to release. What a Service
 * gets unasked is derived from its name, so that environment variables built from it are stable.
 */
final class ServiceAllocation {
  private final String name;
  private final ServiceSpec next;
  private final ServiceSpec old;
  private final ClusterAddresses addresses;
  private final NodePorts nodePorts;

  /**
   * @param current what is updated, empty for a new Service
   * @param stored all Services
   */
  ServiceAllocation(
      ObjectNode service, ObjectNode current, Collection<StoredObject> stored, boolean dryRun) {
    this.name = Json.text(service, "metadata", "name");
    this.next = ServiceSpec.of(service);
    this.old = ServiceSpec.view(current);
    Set<String> takenAddresses = new HashSet<>();
    Set<Integer> takenPorts = new HashSet<>();
    for (StoredObject other : stored) {
      ServiceSpec spec = ServiceSpec.view(other.json());
      spec.json().path("clusterIPs").forEach(address -> takenAddresses.add(address.asText()));
      if (spec.usesNodePorts()) {
        takenPorts.addAll(spec.nodePorts());
      }
      if (spec.needsHealthCheck()) {
        takenPorts.add(spec.healthCheckNodePort());
      }
    }
    int seed = (Json.text(service, "metadata", "namespace") + "/" + name).hashCode();
    this.addresses = new ClusterAddresses(takenAddresses, seed, dryRun);
    this.nodePorts = new NodePorts(takenPorts, seed, dryRun);
  }

  /** Allocates for a new Service. */
  void create() {
    allocateAddress();
    if (next.usesNodePorts()) {
      createNodePorts();
    }
    if (next.needsHealthCheck()) {
      allocateHealthCheck();
    }
  }

  /** Allocates what an update adds. */
  void update() {
    if (old.isExternalName()) {
      allocateAddress();
    }
    if (next.usesNodePorts()) {
      updateNodePorts();
    }
    if (next.needsHealthCheck() && !old.needsHealthCheck()) {
      allocateHealthCheck();
    }
  }

  private void allocateAddress() {
    JsonNode asked = next.json().path("clusterIPs");
    String first = asked.path(0).asText("");
    if (next.isExternalName() || first.equals(ServiceSpec.HEADLESS)) {
      return;
    }
    if (first.isEmpty()) {
      String address = addresses.takeAny(name);
      next.json().put("clusterIP", address).putArray("clusterIPs").add(address);
      return;
    }
    String problem = addresses.take(first);
    if (!problem.isEmpty()) {
      throw invalid(
          "spec.clusterIPs",
          asked.toString(),
          "failed to allocate IP %s: %s".formatted(first, problem));
    }
  }

  /** Ports with one number, such as those of two protocols, share a node port. */
  private void createNodePorts() {
    Map<Integer, Integer> byPort = new HashMap<>();
    List<ObjectNode> ports = next.ports();
    for (int i = 0; i < ports.size(); i++) {
      ObjectNode port = ports.get(i);
      int number = port.path("port").asInt();
      int own = ServiceSpec.nodePort(port);
      if (own == 0 && !next.wantsNodePorts()) {
        continue;
      }
      Integer shared = byPort.get(number);
      if (shared == null) {
        int nodePort = firstAsked(ports, number);
        if (nodePort == 0) {
          nodePort = nodePorts.takeAny();
        } else {
          take(i, nodePort);
        }
        port.put("nodePort", nodePort);
        byPort.put(number, nodePort);
      } else if (own == 0) {
        port.put("nodePort", shared);
      } else if (own != shared) {
        take(i, own);
      }
    }
  }

  private static int firstAsked(List<ObjectNode> ports, int number) {
    return ports.stream()
        .filter(port -> port.path("port").asInt() == number)
        .mapToInt(ServiceSpec::nodePort)
        .filter(nodePort -> nodePort != 0)
        .findFirst()
        .orElse(0);
  }

  private void updateNodePorts() {
    Set<Integer> kept = old.nodePorts();
    Set<Integer> added = new HashSet<>();
    Set<String> seen = new HashSet<>();
    List<ObjectNode> ports = next.ports();
    for (int i = 0; i < ports.size(); i++) {
      ObjectNode port = ports.get(i);
      int nodePort = ServiceSpec.nodePort(port);
      if (nodePort == 0 && !next.wantsNodePorts()) {
        continue;
      } else if (nodePort == 0) {
        nodePort = nodePorts.takeAny();
        port.put("nodePort", nodePort);
      } else if (!kept.contains(nodePort) && added.add(nodePort)) {
        take(i, nodePort);
      }
      String pair = "{%s %d}".formatted(Json.text(port, "protocol"), nodePort);
      if (!seen.add(pair)) {
        throw new ApiException(500, "", "duplicate nodePort: " + pair);
      }
    }
  }

  private void take(int index, int nodePort) {
    String problem = nodePorts.take(nodePort);
    if (!problem.isEmpty()) {
      throw invalid(
          "spec.ports[%d].nodePort".formatted(index), Integer.toString(nodePort), problem);
    }
  }

  private void allocateHealthCheck() {
    int asked = next.healthCheckNodePort();
    if (asked == 0) {
      next.json().put("healthCheckNodePort", nodePorts.takeAny());
      return;
    }
    String problem = nodePorts.take(asked);
    if (!problem.isEmpty()) {
      throw ApiException.internal(
          "failed to allocate requested HealthCheck NodePort %d: %s".formatted(asked, problem));
    }
  }

  private ApiException invalid(String field, String value, String why) {
    Causes causes = new Causes();
    causes.invalid(field, value, why);
    return causes.failure("", "Service", name);
  }
}
