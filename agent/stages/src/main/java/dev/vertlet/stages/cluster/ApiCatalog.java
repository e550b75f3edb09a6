package dev.vertlet.stages.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.DecodeException;
import dev.vertlet.stages.spec.ResourceRef;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the resources of kinds by discovery, and remembers them. Confined to its caller's context.
 */
public final class ApiCatalog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubeClient kube;
  private final Map<ResourceRef, ApiResource> known = new HashMap<>();

  public ApiCatalog(KubeClient kube) {
    this.kube = kube;
  }

  /**
   * Finds the resource of a kind.
   *
   * @return empty if the server does not have the kind; fails with a {@link KubeException}
   */
  public Future<Optional<ApiResource>> find(ResourceRef kind) {
    ApiResource resource = known.get(kind);
    if (resource != null) {
      return Future.succeededFuture(Optional.of(resource));
    }
    KubePath path = new KubePath(ApiResource.base(kind.apiGroup()), "discovery", "");
    return kube.send(KubeRequest.get(Lane.REST, path))
        .map(answer -> read(kind, answer))
        .recover(
            failure ->
                KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  private Optional<ApiResource> read(ResourceRef kind, KubeResponse answer) {
    for (JsonNode each : tree(answer).path("resources")) {
      String name = each.path("name").asText();
      if (each.path("kind").asText().equals(kind.kind()) && name.indexOf('/') < 0) {
        ApiResource resource =
            new ApiResource(
                kind.apiGroup(), kind.kind(), name, each.path("namespaced").asBoolean());
        known.put(kind, resource);
        return Optional.of(resource);
      }
    }
    return Optional.empty();
  }

  static JsonNode tree(KubeResponse answer) {
    try {
      return JSON.readTree(answer.body().getBytes());
    } catch (IOException e) {
      throw new DecodeException("malformed JSON", e);
    }
  }
}
