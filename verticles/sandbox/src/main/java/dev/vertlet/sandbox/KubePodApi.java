package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.client.KubeClient;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** {@link PodApi} of an API server. May be called from any context. */
public final class KubePodApi implements PodApi {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubeClient kube;

  public KubePodApi(KubeClient kube) {
    this.kube = kube;
  }

  @Override
  public Future<ObjectNode> get(String namespace, String name) {
    return send(KubeRequest.get(Lane.POD_STATUS, KubePath.pod(namespace, name)));
  }

  @Override
  public Future<ObjectNode> update(JsonNode pod) {
    KubePath path = KubePath.pod(PodTree.namespace(pod), PodTree.name(pod));
    return send(KubeRequest.update(Lane.POD_STATUS, path, body(pod)));
  }

  @Override
  public Future<ObjectNode> patch(String namespace, String name, ObjectNode patch) {
    return send(
        KubeRequest.patch(
            Lane.POD_STATUS,
            KubePath.pod(namespace, name),
            MediaType.STRATEGIC_MERGE_PATCH,
            encoded(patch)));
  }

  @Override
  public Future<ObjectNode> create(String namespace, JsonNode pod) {
    return send(KubeRequest.create(Lane.REST, KubePath.pods(namespace), body(pod)));
  }

  @Override
  public Future<Void> delete(JsonNode pod) {
    JsonObject options =
        new JsonObject()
            .put("apiVersion", "v1")
            .put("kind", "DeleteOptions")
            .put(
                "preconditions",
                new JsonObject()
                    .put("uid", PodTree.uid(pod))
                    .put(
                        "resourceVersion",
                        pod.path("metadata").path("resourceVersion").asText("")));
    KubeRequest request =
        new KubeRequest(
            Lane.REST,
            Verb.DELETE,
            KubePath.pod(PodTree.namespace(pod), PodTree.name(pod)),
            "",
            MediaType.JSON,
            options.toBuffer(),
            MediaType.METADATA_ONLY,
            null);
    return kube.send(request).mapEmpty();
  }

  private Future<ObjectNode> send(KubeRequest request) {
    return kube.send(request).map(answer -> read(request, answer));
  }

  private static ObjectNode read(KubeRequest request, KubeResponse answer) {
    try {
      if (JSON.readTree(answer.body().getBytes()) instanceof ObjectNode pod) {
        return pod;
      }
      throw malformed(request, null);
    } catch (IOException e) {
      throw malformed(request, e);
    }
  }

  private static KubeException malformed(KubeRequest request, @Nullable Throwable cause) {
    return new KubeException(
        KubeException.Kind.DECODE,
        0,
        request.verb().rbac() + " " + request.path().path() + ": the answer is no pod",
        null,
        cause);
  }

  /**
   * Encodes a pod without managedFields, which are half of a pod: the server keeps them if a client
   * sends none.
   */
  private static Buffer body(JsonNode pod) {
    ObjectNode sent = pod.deepCopy();
    if (sent.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
    }
    return encoded(sent);
  }

  private static Buffer encoded(JsonNode sent) {
    try {
      return Buffer.buffer(JSON.writeValueAsBytes(sent));
    } catch (IOException e) {
      throw new IllegalArgumentException("a pod that cannot be written", e);
    }
  }
}
