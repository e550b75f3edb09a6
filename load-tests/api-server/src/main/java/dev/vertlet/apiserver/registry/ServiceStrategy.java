package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.MetadataRules.Names;
import dev.vertlet.apiserver.validation.ServiceRules;
import java.util.Set;

/**
 * Services. A cluster IP is derived from the name, so that environment variables built from it are
 * stable; it is not checked for collisions, since nothing routes to it.
 */
final class ServiceStrategy implements Strategy {
  /** The default of {@code sessionAffinityConfig.clientIP.timeoutSeconds}: three hours. */
  private static final int AFFINITY_SECONDS = 10_800;

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
    if (!isExternalName(spec)) {
      putIfAbsent(spec, "internalTrafficPolicy", "Cluster");
    }
    if (!spec.path("sessionAffinity").asText().equals("ClientIP")) {
      spec.remove("sessionAffinityConfig");
    } else if (!Json.at(spec, "sessionAffinityConfig", "clientIP").has("timeoutSeconds")) {
      Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP")
          .put("timeoutSeconds", AFFINITY_SECONDS);
    }
    Json.child(Json.child(service, "status"), "loadBalancer");
  }

  private static boolean isExternalName(ObjectNode spec) {
    return spec.path("type").asText().equals("ExternalName");
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
    if (!spec.has("clusterIP") && !spec.has("clusterIPs") && !isExternalName(spec)) {
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
    if (spec.has("clusterIP") && !isExternalName(spec)) {
      if (!spec.has("ipFamilies")) {
        spec.putArray("ipFamilies").add("IPv4");
      }
      putIfAbsent(spec, "ipFamilyPolicy", "SingleStack");
    }
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    ObjectNode spec = Json.child(next, "spec");
    ObjectNode old = Json.view(current, "spec");
    if (part == Part.STATUS) {
      return;
    }
    ServiceSpec typed = new ServiceSpec(spec);
    ServiceTypeChange.dropDependentFields(typed, new ServiceSpec(old));
    if (!typed.isLoadBalancer()) {
      Json.child(next, "status").putObject("loadBalancer");
    }
    if (typed.isExternalName()) {
      return;
    }
    for (String field : Set.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
      if (!spec.has(field)) {
        Json.copyField(old, spec, field);
      }
    }
  }

  @Override
  public Names names() {
    return Names.LABEL;
  }

  @Override
  public void validate(ObjectNode service, Causes causes) {
    FieldValue value = FieldValue.of(service, causes);
    ServiceRules.created(value);
    ServiceRules.allocated(value);
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    if (part == Part.STATUS) {
      ServiceRules.statusUpdated(FieldValue.of(next, causes));
    } else {
      ServiceRules.updated(FieldValue.of(next, causes), FieldValue.of(current, causes));
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
