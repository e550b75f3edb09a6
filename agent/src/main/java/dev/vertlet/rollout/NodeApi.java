package dev.vertlet.rollout;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.ApiAccess;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeClientOptions;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Node objects of an API server. For a thread that may block. */
final class NodeApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** For one request, and for the connection before the first. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final KubeClient kube;

  /**
   * @throws dev.vertlet.kube.AccessException when there is no usable configuration
   */
  NodeApi(ApiAccess access) throws InterruptedException {
    kube =
        await(
            KubeClient.create(
                vertx, KubeClientOptions.defaults(), access, new SimpleMeterRegistry()));
  }

  ConfigNode get(String name) throws InterruptedException {
    return new ConfigNode(send(KubeRequest.get(Lane.NODE, KubePath.node(name))));
  }

  /**
   * @param selector of labels, as kubectl has it
   */
  List<ConfigNode> list(String selector) throws InterruptedException {
    List<ConfigNode> nodes = new ArrayList<>();
    String query = "labelSelector=" + URLEncoder.encode(selector, UTF_8);
    send(KubeRequest.list(Lane.NODE, KubePath.nodes(), query, MediaType.JSON))
        .path("items")
        .forEach(node -> nodes.add(new ConfigNode(node)));
    return nodes;
  }

  /** Sets annotations, or removes those that are null. */
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
