package dev.vertlet.rollout;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.ManifestText;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads and annotates Node objects in an API server. Blocks. */
final class RolloutApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Time limit of one request, and of connecting before the first. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final KubeClient kube;

  /**
   * Connects to the API server.
   *
   * @throws dev.vertlet.kube.AccessException when there is no usable configuration
   */
  RolloutApi(ApiAccess access) throws InterruptedException {
    kube =
        await(
            KubeClient.create(
                vertx, KubeClientOptions.defaults(), access, new SimpleMeterRegistry()));
  }

  ConfigNode get(String name) throws InterruptedException {
    return new ConfigNode(send(KubeRequest.get(Lane.NODE, KubePath.node(name))));
  }

  /**
   * Lists nodes.
   *
   * @param selector label selector, as in kubectl
   */
  List<ConfigNode> list(String selector) throws InterruptedException {
    List<ConfigNode> nodes = new ArrayList<>();
    String query = "labelSelector=" + URLEncoder.encode(selector, UTF_8);
    send(KubeRequest.list(Lane.NODE, KubePath.nodes(), query, MediaType.JSON))
        .path("items")
        .forEach(node -> nodes.add(new ConfigNode(node)));
    return nodes;
  }

  /** Sets annotations; null removes one. */
  ConfigNode annotate(String name, Map<String, @Nullable String> annotations)
      throws InterruptedException {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode values = patch.putObject("metadata").putObject("annotations");
    annotations.forEach(values::put);
    return new ConfigNode(
        send(
            KubeRequest.patch(
                Lane.NODE,
                KubePath.node(name),
                MediaType.MERGE_PATCH,
                Buffer.buffer(patch.toString()))));
  }

  /** Returns the events about the node's configs, oldest first, one line each. */
  List<String> history(String name) throws InterruptedException {
    String query =
        "fieldSelector="
            + URLEncoder.encode(
                "involvedObject.kind=Node,involvedObject.name=%s,reason=KubeletConfigChanged"
                    .formatted(name),
                UTF_8);
    TreeMap<String, String> lines = new TreeMap<>();
    send(KubeRequest.list(Lane.EVENT, KubePath.events("default"), query, MediaType.JSON))
        .path("items")
        .forEach(
            event -> {
              String last = event.path("lastTimestamp").asText();
              // event names sort by time
              lines.put(
                  last + event.at("/metadata/name").asText(),
                  last + "  " + event.path("message").asText());
            });
    return List.copyOf(lines.values());
  }

  /** Returns the node's {@code /configz} as a payload of each kind. */
  JsonNode shown(String name) throws InterruptedException {
    KubePath path = new KubePath("/api/v1/nodes/" + name + "/proxy/configz", "nodes", "");
    return send(KubeRequest.get(Lane.NODE, path));
  }

  /**
   * Reads the payload of a source.
   *
   * @throws IllegalStateException when the key is missing or its value is not an object
   */
  JsonNode payload(ConfigSource source) throws InterruptedException {
    JsonNode text =
        send(KubeRequest.get(Lane.NODE, KubePath.configMap(source.namespace(), source.name())))
            .path("data")
            .path(source.key());
    if (!text.isTextual()) {
      throw new IllegalStateException(
          "configmap %s/%s has no key %s"
              .formatted(source.namespace(), source.name(), source.key()));
    }
    try {
      return ManifestText.object(text.asText().getBytes(UTF_8), true);
    } catch (ManifestException e) {
      throw new IllegalStateException(source + " " + e.getMessage(), e);
    }
  }

  private JsonNode send(KubeRequest request) throws InterruptedException {
    Buffer body = await(kube.send(request)).body();
    try {
      return JSON.readTree(body.getBytes());
    } catch (IOException e) {
      throw new IllegalStateException("the API server answers no JSON", e);
    }
  }

  private static <T> T await(Future<T> future) throws InterruptedException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the API server does not answer within " + PATIENCE.toSeconds() + "s", e);
    }
  }

  @Override
  public void close() {
    vertx.close();
  }
}
