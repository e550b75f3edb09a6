package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the spec of a Service says of its type, addresses and ports.
 *
 * @param json the spec itself, not a copy
 */
record ServiceSpec(ObjectNode json) {
  static final String HEADLESS = "None";

  /** The spec of a Service that is about to be written; it is added when there is none. */
  static ServiceSpec of(ObjectNode service) {
    return new ServiceSpec(Json.child(service, "spec"));
  }

  /** The spec of a Service that must not change. */
  static ServiceSpec view(ObjectNode service) {
    return new ServiceSpec(Json.view(service, "spec"));
  }

  String text(String field) {
    return Json.text(json, field);
  }

  boolean isType(String type) {
    return text("type").equals(type);
  }

  boolean isExternalName() {
    return isType("ExternalName");
  }

  boolean isLoadBalancer() {
    return isType("LoadBalancer");
  }

  boolean usesNodePorts() {
    return isType("NodePort") || isLoadBalancer();
  }

  /** Whether every port gets a node port, asked for or not. */
  boolean wantsNodePorts() {
    return isType("NodePort")
        || isLoadBalancer() && json.path("allocateLoadBalancerNodePorts").asBoolean(true);
  }

  boolean isExternallyAccessible() {
    return usesNodePorts() || isType("ClusterIP") && !json.path("externalIPs").isEmpty();
  }

  boolean needsHealthCheck() {
    return isLoadBalancer() && text("externalTrafficPolicy").equals("Local");
  }

  int healthCheckNodePort() {
    return json.path("healthCheckNodePort").asInt(0);
  }

  /** Whether the Service is headless and has no selector. */
  boolean isHeadlessWithoutSelector() {
    return text("clusterIP").equals(HEADLESS) && json.path("selector").isEmpty();
  }

  List<ObjectNode> ports() {
    List<ObjectNode> ports = new ArrayList<>();
    for (JsonNode port : json.path("ports")) {
      if (port instanceof ObjectNode object) {
        ports.add(object);
      }
    }
    return ports;
  }

  /** The node port of a port, 0 for none. */
  static int nodePort(ObjectNode port) {
    return port.path("nodePort").asInt(0);
  }

  /** The node ports of all ports that have one. */
  Set<Integer> nodePorts() {
    Set<Integer> numbers = new LinkedHashSet<>();
    ports().forEach(port -> numbers.add(nodePort(port)));
    numbers.remove(0);
    return numbers;
  }

  /** Whether a field says the same as another spec's, where an empty value is no value. */
  boolean says(ServiceSpec other, String field) {
    JsonNode mine = json.path(field);
    JsonNode others = other.json.path(field);
    return isZero(mine) ? isZero(others) : mine.equals(others);
  }

  boolean lacks(String field) {
    return isZero(json.path(field));
  }

  private static boolean isZero(JsonNode value) {
    return value.isTextual()
        ? value.textValue().isEmpty()
        : !value.isValueNode() && value.isEmpty();
  }
}
