package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.ApiRequest;
import java.util.List;
import java.util.Optional;

/**
 * Questions a client asks by creating an object that is answered and not stored. Whoever has a
 * token may do everything, so the answers are short.
 */
final class Reviews {
  private static final String AUTHORIZATION = "authorization.k8s.io/v1";
  private static final String AUTHENTICATION = "authentication.k8s.io/v1";

  /** The group of administrators, whom nothing is refused. */
  private static final String ADMINISTRATORS = "system:masters";

  private static final List<ResourceType> TYPES =
      List.of(
          ResourceType.cluster(AUTHENTICATION, "selfsubjectreviews", "SelfSubjectReview"),
          ResourceType.cluster(
              AUTHORIZATION, "selfsubjectaccessreviews", "SelfSubjectAccessReview"),
          ResourceType.cluster(AUTHORIZATION, "selfsubjectrulesreviews", "SelfSubjectRulesReview"));

  private Reviews() {}

  /** The questions, as discovery announces them. */
  static List<ResourceType> types() {
    return TYPES;
  }

  static Optional<ResourceType> find(String apiVersion, String plural) {
    return TYPES.stream()
        .filter(type -> type.apiVersion().equals(apiVersion) && type.plural().equals(plural))
        .findFirst();
  }

  /** Answers one question. */
  static void answer(Exchange exchange, ResourceType type, String user) {
    ApiRequest request = exchange.request();
    if (!request.verb().equals("create") || !request.name().isEmpty()) {
      throw ApiException.methodNotAllowed();
    }
    ObjectNode review = Bodies.typed(request, type);
    review.put("kind", type.kind()).put("apiVersion", type.apiVersion());
    Json.child(review, "metadata");
    review.set("status", status(type, user));
    exchange.json(201, review);
  }

  private static ObjectNode status(ResourceType type, String user) {
    ObjectNode status = Json.object();
    if (type.plural().equals("selfsubjectreviews")) {
      ObjectNode info = status.putObject("userInfo").put("username", user);
      info.putArray("groups").add(ADMINISTRATORS).add("system:authenticated");
    } else if (type.plural().equals("selfsubjectaccessreviews")) {
      status.put("allowed", true).put("reason", "everything is allowed here");
    } else {
      ObjectNode rule = status.putArray("resourceRules").addObject();
      for (String dimension : List.of("verbs", "apiGroups", "resources")) {
        rule.putArray(dimension).add("*");
      }
      ObjectNode paths = status.putArray("nonResourceRules").addObject();
      paths.putArray("verbs").add("*");
      paths.putArray("nonResourceURLs").add("*");
      status.put("incomplete", false);
    }
    return status;
  }
}
