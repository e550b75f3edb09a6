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
import io.vertx.core.json.JsonObject;
import java.util.function.Function;

/**
 * Question to the API server whether the sender may do something: a SelfSubjectAccessReview.
 *
 * @param verb of the API, for example {@code list}
 * @param group empty for the core group
 * @param resource plural, without a subresource
 * @param subresource empty for the resource itself
 * @param namespace empty for all namespaces, and for resources without namespaces
 * @param name of one object; empty for all
 */
public record AccessReview(
    String verb, String group, String resource, String subresource, String namespace, String name) {
  private static final KubePath PATH =
      new KubePath(
          "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          "selfsubjectaccessreviews",
          "authorization.k8s.io");

  /** Creates the question about all objects in all namespaces. */
  public static AccessReview of(String verb, String group, String resource) {
    return new AccessReview(verb, group, resource, "", "", "");
  }

  public AccessReview withSubresource(String other) {
    return new AccessReview(verb, group, resource, other, namespace, name);
  }

  public AccessReview withNamespace(String other) {
    return new AccessReview(verb, group, resource, subresource, other, name);
  }

  public AccessReview withName(String other) {
    return new AccessReview(verb, group, resource, subresource, namespace, other);
  }

  /**
   * Asks the API server.
   *
   * @return whether it is allowed; fails with a {@link KubeException} without an answer
   */
  public Future<Boolean> ask(KubeClient kube) {
    return ask(kube::send);
  }

  /**
   * Asks the API server.
   *
   * @param sender sends the request, for example with retries
   * @return whether it is allowed; fails as {@code sender} does, or with a {@link KubeException} if
   *     the answer is no review
   */
  public Future<Boolean> ask(Function<KubeRequest, Future<KubeResponse>> sender) {
    return sender
        .apply(KubeRequest.create(Lane.REST, PATH, body().toBuffer()))
        .map(AccessReview::allowed);
  }

  private static boolean allowed(KubeResponse answer) {
    try {
      JsonObject status = answer.body().toJsonObject().getJsonObject("status", new JsonObject());
      return status.getBoolean("allowed", false);
    } catch (RuntimeException e) { // no JSON, or of another form
      throw Failures.decode(Verb.CREATE, PATH, new DecodeException("malformed review", e));
    }
  }

  private JsonObject body() {
    JsonObject attributes =
        new JsonObject().put("verb", verb).put("group", group).put("resource", resource);
    put(attributes, "subresource", subresource);
    put(attributes, "namespace", namespace);
    put(attributes, "name", name);
    return new JsonObject()
        .put("apiVersion", "authorization.k8s.io/v1")
        .put("kind", "SelfSubjectAccessReview")
        .put("spec", new JsonObject().put("resourceAttributes", attributes));
  }

  private static void put(JsonObject attributes, String key, String value) {
    if (!value.isEmpty()) {
      attributes.put(key, value);
    }
  }

  /** Returns {@code patch pods/status} or {@code list deployments.apps}, as kubectl names it. */
  @Override
  public String toString() {
    return verb
        + " "
        + resource
        + (group.isEmpty() ? "" : "." + group)
        + (subresource.isEmpty() ? "" : "/" + subresource)
        + (name.isEmpty() ? "" : "/" + name)
        + (namespace.isEmpty() ? "" : " in namespace " + namespace);
  }
}
