package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Adds the load's label to nodes that a peer creates, because not every program lets its user
 * choose labels; the load watches nodes by this label. For use by one thread.
 */
final class NodeLabels {
  /** Interval between passes, short compared with the time until all nodes are Ready. */
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

  private final LoadPlan plan;
  private final PodLoad load;
  private Future<?> pass = Future.succeededFuture();
  private long passBegan = System.nanoTime() - EVERY_NANOS;

  NodeLabels(LoadPlan plan, PodLoad load) {
    this.plan = plan;
    this.load = load;
  }

  /** Failure of the last pass; empty if it succeeded. */
  String trouble() {
    return pass.failed() ? "nodes cannot be labelled: " + pass.cause().getMessage() : "";
  }

  /** Labels new nodes when a pass is due; a node that is deleted meanwhile when it returns. */
  void tick() {
    if (pass.isComplete() && System.nanoTime() - passBegan >= EVERY_NANOS) {
      passBegan = System.nanoTime();
      pass =
          load.fetch(KubeRequest.list(Lane.REST, KubePath.nodes(), "", METADATA_LIST))
              .compose(answer -> Future.join(unlabelled(answer.body()).map(this::label).toList()));
    }
  }

  private Stream<String> unlabelled(Buffer list) {
    Set<String> ours = new HashSet<>();
    IntStream.range(0, plan.nodes()).mapToObj(plan::node).forEach(ours::add);
    List<JsonObject> nodes =
        list.toJsonObject().getJsonArray("items").stream().map(JsonObject.class::cast).toList();
    return nodes.stream()
        .map(node -> node.getJsonObject("metadata"))
        .filter(metadata -> ours.contains(metadata.getString("name")))
        .filter(
            metadata ->
                !metadata.getJsonObject("labels", new JsonObject()).containsKey(LoadPlan.LABEL))
        .map(metadata -> metadata.getString("name"));
  }

  private Future<?> label(String node) {
    return load.fetch(
        KubeRequest.patch(
            Lane.REST,
            KubePath.node(node),
            MediaType.MERGE_PATCH,
            new JsonObject()
                .put(
                    "metadata",
                    new JsonObject()
                        .put("labels", new JsonObject().put(LoadPlan.LABEL, plan.prefix())))
                .toBuffer()));
  }
}
