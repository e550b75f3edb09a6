package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Fills in the allocated values of a Service that its client left out. */
final class AllocatedValues {
  private AllocatedValues() {}

  /** A client of the time before {@code clusterIPs} sends {@code clusterIP} alone. */
  static void pairNew(ServiceSpec next) {
    if (!next.lacks("clusterIP") && next.lacks("clusterIPs")) {
      next.json().putArray("clusterIPs").add(next.text("clusterIP"));
    }
  }

  /** Carries over what an update leaves out, where the new type has a use for it. */
  static void carryOver(ServiceSpec next, ServiceSpec old) {
    if (!old.isExternalName() && !next.isExternalName()) {
      carryOver(next, old, "clusterIP");
      carryOver(next, old, "clusterIPs");
    }
    if (old.wantsNodePorts() && next.wantsNodePorts()) {
      carryOverNodePorts(next, old);
    }
    boolean checked = old.needsHealthCheck() && next.needsHealthCheck();
    if (checked && next.healthCheckNodePort() == 0) {
      Json.copyField(old.json(), next.json(), "healthCheckNodePort");
    }
    pairChanged(next, old);
  }

  private static void carryOver(ServiceSpec next, ServiceSpec old, String field) {
    if (next.lacks(field)) {
      Json.copyField(old.json(), next.json(), field);
    }
  }

  /** A port is known by its name. */
  private static void carryOverNodePorts(ServiceSpec next, ServiceSpec old) {
    Set<Integer> used = new HashSet<>(old.nodePorts());
    used.retainAll(next.nodePorts());
    Map<String, Integer> byName = new HashMap<>();
    old.ports().forEach(port -> byName.put(Json.text(port, "name"), ServiceSpec.nodePort(port)));
    for (ObjectNode port : next.ports()) {
      int before = byName.getOrDefault(Json.text(port, "name"), 0);
      if (ServiceSpec.nodePort(port) == 0 && before != 0 && !used.contains(before)) {
        port.put("nodePort", before);
      }
    }
  }

  /** Where only one of {@code clusterIP} and {@code clusterIPs} was changed, the other follows. */
  private static void pairChanged(ServiceSpec next, ServiceSpec old) {
    if (next.says(old, "clusterIP")) {
      carryOver(next, old, "clusterIPs");
    } else if (next.says(old, "clusterIPs")) {
      if (next.lacks("clusterIP")) {
        next.json().remove("clusterIPs");
      } else {
        next.json().putArray("clusterIPs").add(next.text("clusterIP"));
      }
    }
  }
}
