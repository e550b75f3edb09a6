package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Questions about users that a client asks by creating an object, which is answered and not stored.
 */
final class Reviews {
  private static final String AUTHORIZATION = "authorization.k8s.io/v1";
  private static final String AUTHENTICATION = "authentication.k8s.io/v1";

  private static final List<ResourceType> TYPES =
      List.of(
          ResourceType.cluster(AUTHENTICATION, "selfsubjectreviews", "SelfSubjectReview"),
          ResourceType.cluster(AUTHENTICATION, "tokenreviews", "TokenReview"),
          ResourceType.cluster(AUTHORIZATION, "subjectaccessreviews", "SubjectAccessReview"),
          ResourceType.cluster(
              AUTHORIZATION, "selfsubjectaccessreviews", "SelfSubjectAccessReview"),
          ResourceType.cluster(AUTHORIZATION, "selfsubjectrulesreviews", "SelfSubjectRulesReview"));

  private final Authenticator authenticator;

  Reviews(Authenticator authenticator) {
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
    review.set("status", status(exchange.sender(), type, Json.view(review, "spec")));
    exchange.json(201, review);
  }

  private ObjectNode status(User sender, ResourceType type, ObjectNode spec) {
    return switch (type.plural()) {
      case "selfsubjectreviews" -> {
        ObjectNode status = Json.object();
        status.set("userInfo", sender.info());
        yield status;
      }
      case "tokenreviews" -> token(Json.text(spec, "token"));
      case "selfsubjectaccessreviews" -> access(sender, spec);
      case "subjectaccessreviews" -> access(subject(spec), spec);
      default -> rules(sender);
    };
  }

  private ObjectNode token(String token) {
    ObjectNode status = Json.object();
    if (token.isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    }
    Optional<User> owner = authenticator.owner(token);
    if (owner.isPresent()) {
      status.put("authenticated", true).set("user", owner.get().info());
    } else {
      status.putObject("user");
      status.put("error", "[invalid bearer token, token lookup failed]");
    }
    return status;
  }

  private static User subject(ObjectNode spec) {
    List<String> groups = new ArrayList<>();
    spec.path("groups").forEach(group -> groups.add(group.asText()));
    return new User(Json.text(spec, "user"), "", groups);
  }

  private static ObjectNode access(User user, ObjectNode spec) {
    ObjectNode resource = Json.view(spec, "resourceAttributes");
    ObjectNode path = Json.view(spec, "nonResourceAttributes");
    boolean allowed =
        resource.isEmpty()
            ? Authorizer.maySee(user, Json.text(path, "verb"), Json.text(path, "path"))
            : Authorizer.mayUse(
                user,
                Json.text(resource, "verb"),
                Json.text(resource, "group"),
                Json.text(resource, "resource"));
    return Json.object().put("allowed", allowed);
  }

  private static ObjectNode rules(User user) {
    ObjectNode status = Json.object();
    ArrayNode resources = status.putArray("resourceRules");
    ArrayNode paths = status.putArray("nonResourceRules");
    if (user.administers()) {
      rule(resources, List.of("*"), Map.of("apiGroups", List.of("*"), "resources", List.of("*")));
      rule(paths, List.of("*"), Map.of("nonResourceURLs", List.of("*")));
    } else {
      Authorizer.OWN_QUESTIONS.forEach(
          (group, questions) ->
              rule(
                  resources,
                  List.of("create"),
                  Map.of("apiGroups", List.of(group), "resources", questions)));
      rule(paths, List.of("get"), Map.of("nonResourceURLs", Authorizer.DISCOVERY));
    }
    return status.put("incomplete", false);
  }

  private static void rule(ArrayNode to, List<String> verbs, Map<String, List<String>> about) {
    ObjectNode rule = to.addObject();
    verbs.forEach(rule.putArray("verbs")::add);
    about.forEach((dimension, values) -> values.forEach(rule.putArray(dimension)::add));
  }
}
