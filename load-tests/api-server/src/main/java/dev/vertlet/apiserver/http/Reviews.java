package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.ApiRequest;
import java.util.List;
import java.util.Optional;

/**
 * Questions a client asks by creating an object that is answered and not stored. Whoever has a
 * token is an administrator and may do everything, so the answers are short.
 */
final class Reviews {
  private static final String AUTHORIZATION = "authorization.k8s.io/v1";
  private static final String AUTHENTICATION = "authentication.k8s.io/v1";

  /** The group of administrators, whom nothing is refused. */
  private static final String ADMINISTRATORS = "system:masters";

  private static final List<ResourceType> TYPES =
      List.of(
          ResourceType.cluster(AUTHENTICATION, "selfsubjectreviews", "SelfSubjectReview"),
          ResourceType.cluster(AUTHENTICATION, "tokenreviews", "TokenReview"),
          ResourceType.cluster(AUTHORIZATION, "subjectaccessreviews", "SubjectAccessReview"),
          ResourceType.cluster(
              AUTHORIZATION, "selfsubjectaccessreviews", "SelfSubjectAccessReview"),
          ResourceType.cluster(AUTHORIZATION, "selfsubjectrulesreviews", "SelfSubjectRulesReview"));

  private final String user;
  private final Authenticator authenticator;

  /**
   * @param user name of everybody who is admitted
   */
  Reviews(String user, Authenticator authenticator) {
    this.user = user;
    this.authenticator = authenticator;
  }

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
  void answer(Exchange exchange, ResourceType type) {
    ApiRequest request = exchange.request();
    if (!request.verb().equals("create") || !request.name().isEmpty()) {
      throw ApiException.methodNotAllowed();
    }
    ObjectNode review = Bodies.typed(request, type);
    review.put("kind", type.kind()).put("apiVersion", type.apiVersion());
    Json.child(review, "metadata");
    review.set("status", status(type, Json.view(review, "spec")));
    exchange.json(201, review);
  }

  private ObjectNode status(ResourceType type, ObjectNode spec) {
    return switch (type.plural()) {
      case "selfsubjectreviews" -> {
        ObjectNode status = Json.object();
        status.set("userInfo", everybody());
        yield status;
      }
      case "tokenreviews" -> token(Json.text(spec, "token"));
      case "selfsubjectaccessreviews" -> allowed();
      case "subjectaccessreviews" -> access(spec);
      default -> rules();
    };
  }

  private ObjectNode everybody() {
    ObjectNode info = Json.object().put("username", user);
    info.putArray("groups").add(ADMINISTRATORS).add("system:authenticated");
    return info;
  }

  private ObjectNode token(String token) {
    ObjectNode status = Json.object();
    if (token.isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    } else if (authenticator.knows(token)) {
      status.put("authenticated", true).set("user", everybody());
    } else {
      status.putObject("user");
      status.put("error", "[invalid bearer token, token lookup failed]");
    }
    return status;
  }

  private static ObjectNode allowed() {
    return Json.object().put("allowed", true).put("reason", "everything is allowed here");
  }

  private static ObjectNode access(ObjectNode spec) {
    for (JsonNode group : spec.path("groups")) {
      if (group.asText().equals(ADMINISTRATORS)) {
        return allowed();
      }
    }
    return Json.object().put("allowed", false);
  }

  private static ObjectNode rules() {
    ObjectNode status = Json.object();
    ObjectNode rule = status.putArray("resourceRules").addObject();
    for (String dimension : List.of("verbs", "apiGroups", "resources")) {
      rule.putArray(dimension).add("*");
    }
    ObjectNode paths = status.putArray("nonResourceRules").addObject();
    paths.putArray("verbs").add("*");
    paths.putArray("nonResourceURLs").add("*");
    return status.put("incomplete", false);
  }
}
