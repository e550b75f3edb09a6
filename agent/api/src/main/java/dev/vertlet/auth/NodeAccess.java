package dev.vertlet.auth;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One access to authorize: a user, a verb and a node subresource.
 *
 * @param verb result of {@link #verb}
 */
record NodeAccess(User user, String verb, String node, String subresource) {
  static final String RESOURCE = "nodes";

  /** Returns the API verb of an HTTP method; empty for a method without one. */
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

  /** Words the rejection as a kubelet does. */
  static String forbidden(User user, String verb, List<String> subresources) {
    return "Forbidden (user=%s, verb=%s, resource=%s, subresource(s)=[%s])\n"
        .formatted(user.name(), verb, RESOURCE, String.join(" ", subresources));
  }

  /** Words a failed authorization as a kubelet does. */
  String undecided() {
    return "Authorization error (user=%s, verb=%s, resource=%s, subresource=%s)"
        .formatted(user.name(), verb, RESOURCE, subresource);
  }

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
