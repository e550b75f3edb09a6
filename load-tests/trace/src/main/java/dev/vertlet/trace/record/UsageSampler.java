package dev.vertlet.trace.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.DecodeException;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks metrics.k8s.io what pods use. Confined to the verticle's context. */
final class UsageSampler {
  private static final Logger LOG = LoggerFactory.getLogger(UsageSampler.class);

  /** A metrics server has new values every 15 s to 60 s. */
  static final long INTERVAL_MILLIS = 30_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubeClient kube;
  private final RecordOptions options;
  private final Consumer<JsonNode> receiver;
  private Future<?> asking = Future.succeededFuture();
  private boolean warned;

  /**
   * @param receiver receives each PodMetrics
   */
  UsageSampler(KubeClient kube, RecordOptions options, Consumer<JsonNode> receiver) {
    this.kube = kube;
    this.options = options;
    this.receiver = receiver;
  }

  /** Asks once; does nothing while the last question has no answer. */
  void sample() {
    if (!asking.isComplete()) {
      return;
    }
    asking =
        Future.all(
                options.scopes(WatchedResource.POD_METRICS).stream()
                    .map(
                        namespace ->
                            kube.send(
                                    KubeRequest.list(
                                        Lane.REST,
                                        WatchedResource.POD_METRICS.api().in(namespace),
                                        "",
                                        MediaType.JSON))
                                .onSuccess(this::read))
                    .toList())
            .onFailure(this::failed);
  }

  private void failed(Throwable failure) {
    if (!warned) {
      warned = true;
      LOG.warn("use of CPU and memory is missing from now on or for now: {}", failure.getMessage());
    }
  }

  /** One item after the other: the tree of all would need more than the whole recorder. */
  private void read(KubeResponse answer) {
    try (JsonParser parser = JSON.createParser(answer.body().getBytes())) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.FIELD_NAME && parser.currentName().equals("items")) {
          if (parser.nextToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
              receiver.accept(parser.readValueAsTree());
            }
          }
        } else if (parser.currentToken() == JsonToken.FIELD_NAME) {
          parser.nextToken();
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      failed(new DecodeException("malformed JSON", e));
    }
  }
}
