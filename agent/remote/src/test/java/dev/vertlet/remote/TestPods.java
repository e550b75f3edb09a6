package dev.vertlet.remote;

import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.remote.client.PodPayload;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Pods as the API server holds them, and the setup of a provider that runs them. */
final class TestPods {
  static final String NODE = "node-a";

  private static final PodDecoder DECODER = new PodDecoder();

  private TestPods() {}

  /** Setup of a provider that serves {@link #NODE}. */
  static ProviderSetup setup(Vertx vertx, JsonObject settings) {
    NodeSpec node =
        new NodeSpec(
            NODE,
            Map.of(),
            Map.of(),
            List.of(),
            Map.of(),
            Map.of(),
            List.of(new NodeAddressView("InternalIP", "192.0.2.1")),
            Map.of(),
            "");
    return new ProviderSetup(
        vertx,
        Clock.systemUTC(),
        new SplittableRandom(1),
        new SimpleMeterRegistry(),
        ProviderSettings.of(settings),
        List.of(node),
        Path.of("pods"));
  }

  /** A pod of one container, bound to {@link #NODE}; its UID follows from its name. */
  static JsonObject pod(String name, String restartPolicy) {
    JsonObject container = new JsonObject().put("name", "main").put("image", "example.com/app:1");
    return new JsonObject()
        .put("apiVersion", "v1")
        .put("kind", "Pod")
        .put(
            "metadata",
            new JsonObject()
                .put("namespace", "default")
                .put("name", name)
                .put("uid", "uid-" + name)
                .put("resourceVersion", "10")
                .put("creationTimestamp", "2026-01-01T00:00:00Z"))
        .put(
            "spec",
            new JsonObject()
                .put("nodeName", NODE)
                .put("restartPolicy", restartPolicy)
                .put("containers", new JsonArray().add(container)))
        .put("status", new JsonObject().put("phase", "Pending"));
  }

  static PodView view(JsonObject pod) {
    return DECODER.decode(pod.toBuffer());
  }

  static PodView view(String name, String restartPolicy) {
    return view(pod(name, restartPolicy));
  }

  static PodView running(String name) {
    return view(name, "Always");
  }

  /** The same pod once its status was written. */
  static PodView with(PodView pod, PodStatusView status) {
    return pod.withStatus(status);
  }

  /** A state of the back end. */
  static JsonObject state(PodView pod, long revision, String phase) {
    JsonObject state =
        switch (phase) {
          case "Running" ->
              new JsonObject()
                  .put("running", new JsonObject().put("startedAt", "2026-01-01T00:00:01Z"));
          case "Succeeded", "Failed" ->
              new JsonObject()
                  .put(
                      "terminated",
                      new JsonObject().put("exitCode", phase.equals("Failed") ? 1 : 0));
          default -> new JsonObject().put("waiting", new JsonObject().put("reason", "Queued"));
        };
    JsonObject container =
        new JsonObject()
            .put("name", "main")
            .put("image", "example.com/app:1")
            .put("ready", phase.equals("Running"))
            .put("restartCount", 0)
            .put("state", state);
    if (!phase.equals("Pending")) {
      container.put("containerID", "test://" + pod.uid());
    }
    return new JsonObject()
        .put("uid", pod.uid())
        .put("namespace", pod.namespace())
        .put("name", pod.name())
        .put("node", pod.nodeName())
        .put("generation", pod.resourceVersion())
        .put("fingerprint", PodPayload.fingerprint(pod))
        .put("revision", revision)
        .put("finished", phase.equals("Succeeded") || phase.equals("Failed"))
        .put(
            "status",
            new JsonObject()
                .put("phase", phase)
                .put("podIP", "10.1.1.1")
                .put("containerStatuses", new JsonArray().add(container)));
  }
}
