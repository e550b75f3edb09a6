package dev.vertlet.remote;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.remote.client.Call;
import dev.vertlet.remote.client.Fields;
import dev.vertlet.remote.client.Paths;
import dev.vertlet.remote.client.PodPayload;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests of the contract about sandboxes, containers and images, and their answers. Pure. */
final class SandboxCalls {
  /** Time beyond its grace period for the end of a container, as a kubelet gives its runtime. */
  private static final Duration STOP = Duration.ofMinutes(2);

  /** A pull takes as long as it takes; a back end that hangs is found by its event stream. */
  private static final Duration PULL = Duration.ofHours(1);

  private SandboxCalls() {}

  private static Paths sandbox(String uid) {
    return Paths.of("v1", "sandboxes", uid);
  }

  private static Paths container(String uid, String name, String... action) {
    List<String> segments = new ArrayList<>(List.of("v1", "sandboxes", uid, "containers", name));
    segments.addAll(List.of(action));
    return Paths.of(segments.toArray(String[]::new));
  }

  /** Path of a pod's sandbox. */
  static String path(PodRef pod) {
    return sandbox(pod.uid()).toString();
  }

  /**
   * Makes a sandbox.
   *
   * @param more the body without the attempt, the node and the pod, which are added
   */
  static Call run(PodView pod, int attempt, JsonObject definition, JsonObject more) {
    JsonObject body =
        more.put("attempt", attempt).put("node", pod.nodeName()).put("pod", definition);
    return Call.put("sandbox", path(pod.ref()), body.toBuffer());
  }

  static Call remove(PodRef pod) {
    return Call.delete("remove", path(pod)).patient(STOP);
  }

  static Call start(PodView pod, String name, int attempt, String imageId, JsonObject definition) {
    JsonObject body =
        new JsonObject()
            .put("attempt", attempt)
            .put("imageID", imageId)
            .put("container", definition);
    return Call.put("start", container(pod.uid(), name).toString(), body.toBuffer());
  }

  static Call stop(PodRef pod, ContainerRecord container, Duration grace) {
    JsonObject body =
        new JsonObject()
            .put("containerId", container.id())
            .put("gracePeriodSeconds", grace.toSeconds());
    String path = container(pod.uid(), container.name(), "stop").toString();
    return Call.post("stop", path, body.toBuffer()).patient(grace.plus(STOP));
  }

  static Call forget(PodRef pod, ContainerRecord container) {
    Paths path = container(pod.uid(), container.name()).query("containerId", container.id());
    return Call.delete("forget", path.toString());
  }

  static Call resize(PodView pod, ContainerView container, String containerId) {
    JsonObject resources =
        new JsonObject()
            .put("requests", amounts(container.resources().requests()))
            .put("limits", amounts(container.resources().limits()));
    JsonObject body = new JsonObject().put("containerId", containerId).put("resources", resources);
    String path = container(pod.uid(), container.name(), "resize").toString();
    return Call.post("resize", path, body.toBuffer());
  }

  private static JsonObject amounts(Map<String, String> quantities) {
    JsonObject json = new JsonObject();
    quantities.forEach(json::put);
    return json;
  }

  static Call probe(ProbeRequest request) {
    JsonObject body =
        new JsonObject()
            .put("containerId", request.containerId())
            .put("kind", request.kind().name().toLowerCase(Locale.ROOT))
            .put("timeoutSeconds", request.probe().timeoutSeconds())
            .put("handler", Handlers.json(request.probe().handler()));
    String path = container(request.pod().uid(), request.container().name(), "probe").toString();
    return Call.post("probe", path, body.toBuffer())
        .patient(Duration.ofSeconds(request.probe().timeoutSeconds()));
  }

  /** Reads the answer to a probe. */
  static ProbeResult result(Buffer body) {
    JsonObject json = Fields.document(body);
    String output = Fields.text(json, "output", "");
    return switch (Fields.text(json, "outcome", "")) {
      case "Success" -> new ProbeResult(ProbeResult.Outcome.SUCCESS, output);
      case "Warning" -> ProbeResult.warning(output);
      case "Failure" -> ProbeResult.failure(output);
      default -> throw Fields.refused(json, "outcome", "must be Success, Warning or Failure");
    };
  }

  static Call hook(HookRequest request) {
    boolean begin = request.moment() == HookRequest.Moment.POST_START;
    JsonObject body =
        new JsonObject()
            .put("containerId", request.containerId())
            .put("moment", begin ? "postStart" : "preStop")
            .put("handler", Handlers.json(request.handler()));
    String path = container(request.pod().uid(), request.container().name(), "hook").toString();
    return Call.post("hook", path, body.toBuffer()).patient(STOP).once(); // each runs it again
  }

  static Call image(String node, String image) {
    return Call.get("image", images(node, image));
  }

  static Call pull(String node, String image, @Nullable RegistryCredential credential) {
    JsonObject body = new JsonObject();
    if (credential != null) {
      body.put("credential", PodPayload.credential(credential));
    }
    return Call.put("pull", images(node, image), body.toBuffer()).patient(PULL);
  }

  private static String images(String node, String image) {
    return Paths.of("v1", "image").query("node", node).query("image", image).toString();
  }

  /** Reads the identity of an image. */
  static String imageId(Buffer body) {
    return Fields.text(Fields.document(body), "id");
  }
}
