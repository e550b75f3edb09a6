package dev.vertlet.cri.container;

import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.container.SandboxStart;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/** A pod as the API server holds it, and what the agent makes of it. */
public record TestStart(JsonObject json) {
  /** A pod with one container {@code main}. */
  public static TestStart of(JsonObject spec, JsonObject container) {
    JsonObject whole = spec.copy();
    whole.put(
        "containers",
        new JsonArray()
            .add(
                new JsonObject().put("name", "main").put("image", "busybox:1").mergeIn(container)));
    whole.put("nodeName", "node-1").put("terminationGracePeriodSeconds", 30);
    return new TestStart(
        new JsonObject()
            .put("apiVersion", "v1")
            .put("kind", "Pod")
            .put(
                "metadata",
                new JsonObject()
                    .put("name", "web")
                    .put("namespace", "shop")
                    .put("uid", "uid-1")
                    .put("resourceVersion", "1")
                    .put("labels", new JsonObject().put("app", "web"))
                    .put("annotations", new JsonObject().put("note", "x")))
            .put("spec", whole));
  }

  public PodView view() {
    JsonObject event = new JsonObject().put("type", "ADDED").put("object", json);
    if (new PodDecoder().decodeEvent(PodDecoder.WATCH_JSON, event.toBuffer())
        instanceof WatchEvent.Upsert<PodView> upsert) {
      return upsert.object();
    }
    throw new IllegalArgumentException("not a pod: " + json.encode());
  }

  public PodDefinition definition() {
    return PodDefinition.read(json.toBuffer());
  }

  /** The start of its sandbox. */
  public SandboxStart sandbox(int attempt, SandboxConfig config) {
    return new SandboxStart(view(), attempt, config, definition(), List.of(), null);
  }

  /** The start of its container. */
  public ContainerStart container(
      int attempt, Map<String, String> environment, List<ContainerMount> mounts) {
    PodView view = view();
    ContainerView main = view.spec().containers().get(0);
    PodDefinition definition = definition();
    return new ContainerStart(
        view,
        main,
        attempt,
        "sha256:abc",
        environment,
        definition,
        definition.container("main"),
        mounts,
        null);
  }
}
