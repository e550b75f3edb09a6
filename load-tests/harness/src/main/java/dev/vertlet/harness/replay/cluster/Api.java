package dev.vertlet.harness.replay.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.PersistentRequests;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.client.ApiCatalog;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.kube.client.KubeClient;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;

/** Requests about objects of any kind. Confined to the event loop of its client. */
final class Api {
  /** Page size of lists: an API server returns the metadata of 500 objects in some milliseconds. */
  private static final int PAGE = 500;

  private static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

  static final KubePath NAMESPACES = new KubePath("/api/v1/namespaces", "namespaces", "");

  private final KubeClient client;
  private final PersistentRequests requests;
  private final ApiCatalog catalog;

  Api(KubeClient client, PersistentRequests requests) {
    this.client = client;
    this.requests = requests;
    this.catalog = new ApiCatalog(client);
  }

  KubeClient client() {
    return client;
  }

  /** Stops the retries of requests in flight. */
  void cancel() {
    requests.cancel();
  }

  /** Sends a request, again while the server is overloaded or away. */
  Future<KubeResponse> send(KubeRequest request) {
    return requests.send(request);
  }

  /** Sends a request once. */
  Future<KubeResponse> once(KubeRequest request) {
    return client.send(request);
  }

  /**
   * Finds the resource of a kind.
   *
   * @return fails with {@link FailedException} if the cluster does not have it
   */
  Future<ApiResource> resource(String apiVersion, String kind) {
    return catalog
        .find(apiVersion, kind)
        .map(
            found ->
                found.orElseThrow(
                    () ->
                        new FailedException(
                            "the cluster does not have the kind %s of %s"
                                .formatted(kind, apiVersion))));
  }

  static KubePath namespace(String name) {
    return new KubePath(NAMESPACES.path() + "/" + name, "namespaces", "");
  }

  /** Lists the metadata of objects; {@code selector} may be empty. */
  Future<List<JsonObject>> metadata(KubePath path, String selector) {
    return page(path, selector, "", new ArrayList<>());
  }

  private Future<List<JsonObject>> page(
      KubePath path, String selector, String next, List<JsonObject> found) {
    String query =
        "limit="
            + PAGE
            + (selector.isEmpty() ? "" : "&labelSelector=" + URLEncoder.encode(selector, UTF_8))
            + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, UTF_8));
    return send(KubeRequest.list(Lane.REST, path, query, METADATA_LIST))
        .compose(
            answer -> {
              JsonObject list = answer.body().toJsonObject();
              JsonArray items = list.getJsonArray("items");
              if (items != null) { // an API server writes null for none
                items.forEach(item -> found.add(((JsonObject) item).getJsonObject("metadata")));
              }
              String more = list.getJsonObject("metadata").getString("continue", "");
              return more.isEmpty()
                  ? Future.succeededFuture(found)
                  : page(path, selector, more, found);
            });
  }

  /**
   * Deletes an object; succeeds if there is none.
   *
   * @param now whether without a grace period
   */
  Future<?> delete(KubePath path, boolean now) {
    JsonObject options =
        new JsonObject()
            .put("kind", "DeleteOptions")
            .put("apiVersion", "v1")
            .put("propagationPolicy", "Background");
    if (now) {
      options.put("gracePeriodSeconds", 0);
    }
    return send(new KubeRequest(
            Lane.REST,
            Verb.DELETE,
            path,
            "",
            MediaType.JSON,
            options.toBuffer(),
            MediaType.METADATA_ONLY,
            null))
        .recover(Api::unlessGone);
  }

  /** Applies a merge patch. */
  Future<?> patch(KubePath path, JsonObject patch) {
    return send(
        KubeRequest.patch(Lane.REST, path, MediaType.MERGE_PATCH, patch.toBuffer()).metadataOnly());
  }

  /** Creates an object. */
  Future<?> create(KubePath path, Buffer object) {
    return send(KubeRequest.create(Lane.REST, path, object).metadataOnly());
  }

  static <T> Future<T> unlessGone(Throwable failure) {
    return KubeException.is(failure, KubeException.Kind.NOT_FOUND)
        ? Future.succeededFuture()
        : Future.failedFuture(failure);
  }
}
