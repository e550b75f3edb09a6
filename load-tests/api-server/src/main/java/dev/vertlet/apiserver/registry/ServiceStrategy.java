package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import java.util.Set;

/**
 * Services. A cluster IP is derived from the name, so that environment variables built from it are
 * stable; it is not checked for collisions, since nothing routes to it.
 */
final class ServiceStrategy implements Strategy {
  @Override
  public void applyDefaults(ObjectNode service) {
    ObjectNode spec = Json.child(service, "spec");
    for (JsonNode port : spec.path("ports")) {
      if (port instanceof ObjectNode object) {
        if (!object.has("protocol")) {
          object.put("protocol", "TCP");
        }
        if (!object.has("targetPort") && object.has("port")) {
          object.set("targetPort", object.get("port"));
        }
      }
    }
    putIfAbsent(spec, "type", "ClusterIP");
    putIfAbsent(spec, "sessionAffinity", "None");
    putIfAbsent(spec, "internalTrafficPolicy", "Cluster");
    Json.child(Json.child(service, "status"), "loadBalancer");
  }

  private static void putIfAbsent(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }

  @Override
  public void prepareForCreate(ObjectNode service) {
    ObjectNode spec = Json.child(service, "spec");
    service.putObject("status").putObject("loadBalancer");
    if (!spec.has("clusterIP") && !spec.path("type").asText().equals("ExternalName")) {
      int hash =
          (Json.text(service, "metadata", "namespace")
                  + "/"
                  + Json.text(service, "metadata", "name"))
              .hashCode();
      spec.put("clusterIP", "10.0.%d.%d".formatted((hash >>> 8) & 0xFF, 1 + (hash & 0x7F)));
    }
    if (spec.has("clusterIP") && !spec.has("clusterIPs")) {
      spec.putArray("clusterIPs").add(spec.get("clusterIP").asText());
    }
    if (!spec.has("ipFamilies") && spec.has("clusterIP")) {
      spec.putArray("ipFamilies").add("IPv4");
      spec.put("ipFamilyPolicy", "SingleStack");
    }
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    ObjectNode spec = Json.child(next, "spec");
    ObjectNode old = Json.view(current, "spec");
    for (String field : Set.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
      if (!spec.has(field)) {
        Json.copyField(old, spec, field);
      }
    }
  }

  @Override
  public boolean returnsDeleted() {
    return true;
  }

  @Override
  public boolean createsOnUpdate() {
    return true;
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.clusterIP", "spec.type");
  }

  @Override
  public ApiException unknownFieldLabel(ResourceType type, String label) {
    return ApiException.badRequest("field label not supported: " + label);
  }

  @Override
  public ObjectNode zeroValue() {
    ObjectNode zero = Json.object();
    zero.putObject("spec");
    zero.putObject("status").putObject("loadBalancer");
    return zero;
  }
}
