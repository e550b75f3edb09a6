package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.fault.Faults;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who may do what: administrators everything, all others no more than the cluster roles {@code
 * system:discovery} and {@code system:basic-user} of a real server give to whom it knows.
 */
final class Authorizer {
  /** What everybody known may get; a star stands for anything. */
  static final List<String> DISCOVERY =
      List.of(
          "/api",
          "/api/*",
          "/apis",
          "/apis/*",
          "/healthz",
          "/livez",
          "/openapi",
          "/openapi/*",
          "/readyz",
          "/version",
          "/version/");

  /** What everybody known may create, by API group. */
  static final Map<String, List<String>> OWN_QUESTIONS =
      Map.of(
          "authentication.k8s.io", List.of("selfsubjectreviews"),
          "authorization.k8s.io", List.of("selfsubjectaccessreviews", "selfsubjectrulesreviews"));

  private Authorizer() {}

  /** The refusal of a request, empty where it is allowed. */
  static Optional<ApiException> refusal(User user, ApiRequest request, boolean ofResource) {
    boolean allowed =
        ofResource
            ? mayUse(user, request.verb(), request.group(), request.resource())
            : maySee(user, request.verb(), request.path());
    return allowed
        ? Optional.empty()
        : Optional.of(forbidden(user, request.verb(), request, ofResource));
  }

  /** The refusal of a request as another user, empty where it is allowed. */
  static Optional<ApiException> refusal(
      User user, User wanted, ApiRequest request, boolean ofResource) {
    return user.administers()
        ? Optional.empty()
        : Optional.of(
            forbidden(user, Impersonation.verb(wanted, request.verb()), request, ofResource));
  }

  private static ApiException forbidden(
      User user, String verb, ApiRequest request, boolean ofResource) {
    return ofResource
        ? Faults.forbidden(request, user.name(), verb)
        : new ApiException(
            403,
            "Forbidden",
            "forbidden: User \"%s\" cannot %s path \"%s\""
                .formatted(user.name(), verb, request.path()));
  }

  static boolean mayUse(User user, String verb, String group, String resource) {
    return user.administers()
        || (user.known()
            && verb.equals("create")
            && OWN_QUESTIONS.getOrDefault(group, List.of()).contains(resource));
  }

  static boolean maySee(User user, String verb, String path) {
    return user.administers()
        || (user.known()
            && verb.equals("get")
            && DISCOVERY.stream().anyMatch(at -> fits(at, path)));
  }

  private static boolean fits(String pattern, String path) {
    return pattern.endsWith("*")
        ? path.startsWith(pattern.substring(0, pattern.length() - 1))
        : path.equals(pattern);
  }
}
