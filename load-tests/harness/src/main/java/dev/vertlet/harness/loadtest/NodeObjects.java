package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.run.AgentSettings;
import dev.vertlet.harness.subject.Peer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/** The Node objects of a peer that serves nodes and does not make them. */
final class NodeObjects {
  private final LoadPlan plan;
  private final Peer peer;

  NodeObjects(LoadPlan plan, Peer peer) {
    this.plan = plan;
    this.peer = peer;
  }

  /** Without a taint: pods are bound, or choose them by their label. */
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
