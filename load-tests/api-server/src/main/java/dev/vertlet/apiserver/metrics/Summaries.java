package dev.vertlet.apiserver.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.kubelet.KubeletClient;
import dev.vertlet.apiserver.kubelet.Location;
import dev.vertlet.apiserver.kubelet.NodeEndpoint;
import dev.vertlet.apiserver.kubelet.Query;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks kubelets what their nodes and pods take. */
final class Summaries {
  private static final Logger LOG = LoggerFactory.getLogger(Summaries.class);

  /** metrics-server's {@code --kubelet-request-timeout}; here it counts for all nodes together. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Kubelets asked at once: a connection with TLS to each takes the time of an event loop. */
  private static final int AT_ONCE = 32;

  private static final String PATH = "/stats/summary";

  private final Vertx vertx;
  private final KubeletClient kubelets;
  private final Duration patience;

  /**
   * @param patience how long all nodes together may take to answer
   */
  Summaries(Vertx vertx, KubeletClient kubelets, Duration patience) {
    this.vertx = vertx;
    this.kubelets = kubelets;
    this.patience = patience;
  }

  /**
   * What these nodes tell, by name. A node that does not answer, or not in time, is left out. The
   * Future does not fail; it completes in time with what was told by then.
   */
  Future<Map<String, Summary>> of(Collection<StoredObject> nodes) {
    Map<String, Summary> told = new HashMap<>();
    Promise<Map<String, Summary>> all = Promise.promise();
    Iterator<StoredObject> rest = nodes.iterator();
    long timer = vertx.setTimer(patience.toMillis(), late -> all.tryComplete(Map.copyOf(told)));
    List<Future<Void>> asking = new ArrayList<>();
    for (int i = 0; i < Math.min(AT_ONCE, nodes.size()); i++) {
      asking.add(askOneByOne(rest, told, all.future()));
    }
    Future.join(asking)
        .onComplete(
            asked -> {
              vertx.cancelTimer(timer);
              all.tryComplete(told);
            });
    return all.future();
  }

  private Future<Void> askOneByOne(
      Iterator<StoredObject> rest, Map<String, Summary> told, Future<?> all) {
    if (all.isComplete() || !rest.hasNext()) {
      return Future.succeededFuture();
    }
    StoredObject node = rest.next();
    return ask(node)
        .onSuccess(summary -> told.put(node.name(), summary))
        .onFailure(
            e ->
                LOG.atDebug()
                    .addKeyValue("node", node.name())
                    .setCause(e)
                    .log("a node does not tell what it takes"))
        .transform(asked -> askOneByOne(rest, told, all));
  }

  private Future<Summary> ask(StoredObject node) {
    Query query = new Query();
    query.add("only_cpu_and_memory", "true");
    Location summary;
    try {
      summary = Location.ofKubelet(NodeEndpoint.of(node.json()), PATH, query);
    } catch (ApiException noAddress) {
      return Future.failedFuture(noAddress);
    }
    return kubelets
        .document(summary, patience)
        .map(
            document -> {
              try {
                return Summary.of(Json.read(document.getBytes()));
              } catch (JsonProcessingException e) {
                throw new IllegalStateException("not JSON", e);
              }
            });
  }
}
