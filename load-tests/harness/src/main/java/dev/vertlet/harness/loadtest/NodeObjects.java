package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.run.AgentSettings;
import dev.vertlet.harness.subject.Peer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/** Node objects for a peer that serves nodes but does not create them. */
final class NodeObjects {
  private final LoadPlan plan;
  private final Peer peer;

  NodeObjects(LoadPlan plan, Peer peer) {
    this.plan = plan;
    this.peer = peer;
  }

  /** Manifest of a node. It has no taint: pods are bound or select the node by its label. */
  Buffer manifest(int node) {
    String name = plan.node(node);
    JsonObject annotations = new JsonObject();
    peer.nodeAnnotations().forEach(annotations::put);
    JsonObject capacity = AgentSettings.capacity(plan);
    return new JsonObject()
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put(
            "metadata",
            new JsonObject()
                .put("name", name)
                .put(
                    "labels",
                    new JsonObject()
                        .put(LoadPlan.LABEL, plan.prefix())
                        .put("kubernetes.io/hostname", name))
                .put("annotations", annotations))
        .put("status", new JsonObject().put("capacity", capacity).put("allocatable", capacity))
        .toBuffer();
  }
}
