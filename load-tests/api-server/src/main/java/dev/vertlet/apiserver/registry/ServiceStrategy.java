package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.FieldValue;
import dev.vertlet.apiserver.validation.MetadataRules.Names;
import dev.vertlet.apiserver.validation.ServiceRules;
import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;

/** Services. */
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
    ServiceSpec typed = new ServiceSpec(spec);
    if (typed.isExternallyAccessible()) {
      putIfAbsent(spec, "externalTrafficPolicy", "Cluster");
    }
    if (!typed.isExternalName()) {
      putIfAbsent(spec, "internalTrafficPolicy", "Cluster");
    }
    if (typed.isLoadBalancer() && !spec.has("allocateLoadBalancerNodePorts")) {
      spec.put("allocateLoadBalancerNodePorts", true);
    }
    if (!spec.path("sessionAffinity").asText().equals("ClientIP")) {
      spec.remove("sessionAffinityConfig");
    } else if (!Json.at(spec, "sessionAffinityConfig", "clientIP").has("timeoutSeconds")) {
      Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP")
          .put("timeoutSeconds", AFFINITY_SECONDS);
    }
    Json.child(Json.child(service, "status"), "loadBalancer");
  }

  private static void putIfAbsent(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }

  @Override
  public void allocate(
      ObjectNode service,
      ObjectNode current,
      Supplier<Collection<StoredObject>> stored,
      boolean dryRun) {
    ServiceSpec next = ServiceSpec.of(service);
    if (current.isEmpty()) {
      AllocatedValues.pairNew(next);
    } else {
      AllocatedValues.carryOver(next, ServiceSpec.view(current));
    }
    new ServiceFamilies(service, current).decide();
    ServiceAllocation allocation = new ServiceAllocation(service, current, stored.get(), dryRun);
    if (current.isEmpty()) {
      allocation.create();
    } else {
      allocation.update();
    }
  }

  @Override
  public void prepareForCreate(ObjectNode service) {
    service.putObject("status").putObject("loadBalancer");
  }

  @Override
  public void prepareForUpdate(Part part, ObjectNode next, ObjectNode current) {
    if (part == Part.STATUS) {
      return;
    }
    ServiceSpec spec = ServiceSpec.of(next);
    ServiceTypeChange.dropDependentFields(spec, ServiceSpec.view(current));
    if (!spec.isLoadBalancer()) {
      Json.child(next, "status").putObject("loadBalancer");
    }
  }

  @Override
  public Names names() {
    return Names.LABEL;
  }

  @Override
  public void validate(ObjectNode service, Causes causes) {
    ServiceRules.created(FieldValue.of(service, causes));
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
