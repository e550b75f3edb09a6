package dev.vertlet.auth;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One question: may this user do that with a subresource of a node?
 *
 * @param verb as {@link #verb} has it
 */
record NodeAccess(User user, String verb, String node, String subresource) {
  static final String RESOURCE = "nodes";

  /** What an HTTP method does to an object of the API; empty for methods that do nothing there. */
  static String verb(String method) {
    return switch (method) {
      case "POST" -> "create";
      case "GET" -> "get";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> "delete";
      default -> "";
    };
  }

  /** What a kubelet says to one who may not. */
  static String forbidden(User user, String verb, List<String> subresources) {
    return "Forbidden (user=%s, verb=%s, resource=%s, subresource(s)=[%s])\n"
        .formatted(user.name(), verb, RESOURCE, String.join(" ", subresources));
  }

  /** What a kubelet says when it cannot tell. */
  String undecided() {
    return "Authorization error (user=%s, verb=%s, resource=%s, subresource=%s)"
        .formatted(user.name(), verb, RESOURCE, subresource);
  }

  /** As a SubjectAccessReview. */
  JsonObject review() {
    JsonObject spec =
        new JsonObject()
            .put(
                "resourceAttributes",
                new JsonObject()
                    .put("verb", verb)
                    .put("version", "v1")
                    .put("resource", RESOURCE)
                    .put("subresource", subresource)
                    .put("name", node))
            .put("user", user.name())
            .put("groups", new JsonArray(user.groups()));
    if (!user.uid().isEmpty()) {
      spec.put("uid", user.uid());
    }
    if (!user.extra().isEmpty()) {
      JsonObject extra = new JsonObject();
      for (Map.Entry<String, List<String>> entry : new TreeMap<>(user.extra()).entrySet()) {
        extra.put(entry.getKey(), new JsonArray(entry.getValue()));
      }
      spec.put("extra", extra);
    }
    return new JsonObject()
        .put("apiVersion", "authorization.k8s.io/v1")
        .put("kind", "SubjectAccessReview")
        .put("spec", spec);
  }
}
