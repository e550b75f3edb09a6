package dev.vertlet.api.route;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.pod.PodProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Serves {@code /pods} and {@code /runningpods}. */
final class PodRoutes {
  private static final Buffer BEGIN =
      Buffer.buffer("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[");
  private static final Buffer END = Buffer.buffer("]}\n");

  private final KubeClient kube;
  private final ServedNodes providers;
  private final int pageSize;

  /**
   * @param pageSize pods that are held in memory at once
   */
  PodRoutes(KubeClient kube, ServedNodes providers, int pageSize) {
    this.kube = kube;
    this.providers = providers;
    this.pageSize = pageSize;
  }

  /** Sends the node's pods from the API server, page by page. */
  Future<Void> pods(ApiCall call) {
    return page(call.node(), "").compose(first -> write(call, first));
  }

  private Future<Void> write(ApiCall call, PodListPage first) {
    HttpServerResponse response = call.request().response();
    response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, ApiCall.JSON);
    response.write(BEGIN);
    return more(call, response, first, true)
        .compose(v -> response.end(END))
        .onComplete(v -> call.request().resume());
  }

  private Future<Void> more(
      ApiCall call, HttpServerResponse response, PodListPage page, boolean first) {
    if (page.items().length() > 0) {
      if (!first) {
        response.write(Buffer.buffer(","));
      }
      response.write(page.items());
    }
    if (page.next().isEmpty()) {
      return Future.succeededFuture();
    }
    boolean stillFirst = first && page.items().length() == 0;
    return drained(response)
        .compose(v -> page(call.node(), page.next()))
        .compose(next -> more(call, response, next, stillFirst));
  }

  /** Waits until the client has read the page, so that a slow client does not buffer all pages. */
  private static Future<Void> drained(HttpServerResponse response) {
    if (response.closed()) {
      return Future.failedFuture(new HttpFailure(500, "the client has gone"));
    }
    if (!response.writeQueueFull()) {
      return Future.succeededFuture();
    }
    Promise<Void> drained = Promise.promise();
    response.drainHandler(v -> drained.tryComplete());
    response.closeHandler(v -> drained.tryFail(new HttpFailure(500, "the client has gone")));
    return drained.future();
  }

  private Future<PodListPage> page(String node, String token) {
    String query =
        "fieldSelector="
            + encode("spec.nodeName=" + node)
            + "&limit="
            + pageSize
            + (token.isEmpty() ? "" : "&continue=" + encode(token));
    return kube.send(KubeRequest.list(Lane.REST, KubePath.pods(), query, MediaType.JSON))
        .map(answer -> PodListPage.of(answer.body()));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Sends the pods that the provider runs, in a kubelet's form. */
  Future<Void> running(ApiCall call) {
    return providers
        .ask(call.node(), PodProvider::list)
        .compose(reports -> call.json(list(call.node(), reports)));
  }

  private static Buffer list(String node, List<PodReport> reports) {
    JsonArray items = new JsonArray();
    for (PodReport report : reports) {
      boolean runs = report.status().phase() == PodPhase.RUNNING && !report.finished();
      if (runs && report.node().equals(node)) {
        items.add(item(report));
      }
    }
    return new JsonObject()
        .put("kind", "PodList")
        .put("apiVersion", "v1")
        .put("metadata", new JsonObject())
        .put("items", items)
        .toBuffer();
  }

  private static JsonObject item(PodReport report) {
    JsonArray containers = new JsonArray();
    for (ContainerStatusView container : report.status().containerStatuses()) {
      containers.add(
          new JsonObject()
              .put("name", container.name())
              .put("image", container.image())
              .put("resources", new JsonObject()));
    }
    return new JsonObject()
        .put(
            "metadata",
            new JsonObject()
                .put("name", report.pod().name())
                .put("namespace", report.pod().namespace())
                .put("uid", report.pod().uid()))
        .put("spec", new JsonObject().put("containers", containers))
        .put("status", new JsonObject());
  }
}
