package dev.vertlet.kube.client;

import dev.vertlet.kube.Failures;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.Verb;
import dev.vertlet.model.DecodeException;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the resources of kinds by discovery, and remembers them. Confined to its caller's context.
 */
public final class ApiCatalog {
  private final KubeClient kube;
  private final Map<Kind, ApiResource> known = new HashMap<>();

  private record Kind(String apiVersion, String name) {}

  public ApiCatalog(KubeClient kube) {
    this.kube = kube;
  }

  /**
   * Finds the resource of a kind. A kind that the server does not have is looked up again by the
   * next call.
   *
   * @param apiVersion group and version, {@code v1} for the core group
   * @return empty if the server does not have the kind; fails with a {@link KubeException}
   */
  public Future<Optional<ApiResource>> find(String apiVersion, String kind) {
    Kind key = new Kind(apiVersion, kind);
    ApiResource resource = known.get(key);
    if (resource != null) {
      return Future.succeededFuture(Optional.of(resource));
    }
    KubePath path = new KubePath(ApiResource.base(apiVersion), "discovery", "");
    return kube.send(KubeRequest.get(Lane.REST, path))
        .map(answer -> read(key, path, answer))
        .recover(
            failure ->
                KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  private Optional<ApiResource> read(Kind kind, KubePath path, KubeResponse answer) {
    try {
      JsonArray resources = answer.body().toJsonObject().getJsonArray("resources", new JsonArray());
      for (int i = 0; i < resources.size(); i++) {
        JsonObject each = resources.getJsonObject(i);
        String name = each.getString("name", "");
        if (kind.name().equals(each.getString("kind")) && name.indexOf('/') < 0) {
          boolean namespaced = each.getBoolean("namespaced", false);
          ApiResource found = new ApiResource(kind.apiVersion(), kind.name(), name, namespaced);
          known.put(kind, found);
          return Optional.of(found);
        }
      }
      return Optional.empty();
    } catch (RuntimeException e) { // no JSON, or of another form
      throw Failures.decode(Verb.GET, path, new DecodeException("malformed APIResourceList", e));
    }
  }
}
