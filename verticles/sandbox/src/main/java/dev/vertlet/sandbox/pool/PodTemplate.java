package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.SandboxPhases;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Creates new pods of a pool. Pure. */
final class PodTemplate {
  private final PoolSpec spec;
  private final SandboxNames names;
  private final ObjectNode template;
  private final String hash;

  PodTemplate(PoolSpec spec, ObjectNode template, SandboxNames names) {
    this.spec = spec;
    this.names = names;
    this.template = template;
    CRC32 sum = new CRC32();
    sum.update((template + "\n" + spec.idleImage()).getBytes(StandardCharsets.UTF_8));
    this.hash = "%08x".formatted(sum.getValue());
  }

  /** Hash of the template: idle pods with another hash are replaced. */
  String hash() {
    return hash;
  }

  /** Returns a pod that is idle from the start. */
  ObjectNode pod(String name) {
    ObjectNode pod = template.objectNode().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata =
        template.get("metadata") instanceof ObjectNode given
            ? given.deepCopy()
            : template.objectNode();
    metadata.put("name", name).put("namespace", spec.namespace());
    metadata.withArray("finalizers").add(names.finalizer());
    ObjectNode labels =
        metadata.get("labels") instanceof ObjectNode given ? given : metadata.putObject("labels");
    labels
        .put(names.pool(), spec.name())
        .put(names.phase(), SandboxPhases.IDLE)
        .put(names.templateHash(), hash);
    pod.set("metadata", metadata);
    JsonNode given = template.path("spec");
    ObjectNode body = given instanceof ObjectNode o ? o.deepCopy() : template.objectNode();
    if (!spec.idleImage().isEmpty()
        && body.path("containers").path(0) instanceof ObjectNode first) {
      first.put("image", spec.idleImage());
    }
    pod.set("spec", body);
    return pod;
  }
}
