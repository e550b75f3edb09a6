package dev.vertlet.harness.fault;

/**
 * Selects requests by verb and resource, like an RBAC rule.
 *
 * @param verb a verb of {@link ApiRequest}, or {@code *}
 * @param resource {@code pods} (the objects alone), {@code pods/status}, {@code pods/*} (objects
 *     and all subresources), or {@code *}
 */
public record RequestMatcher(String verb, String resource) {
  private static final String ANY = "*";

  /** Matches every request. */
  public static final RequestMatcher ALL = new RequestMatcher(ANY, ANY);

  /** Whether the request is selected. */
  public boolean matches(ApiRequest request) {
    return (verb.equals(ANY) || verb.equals(request.verb())) && matchesResource(request);
  }

  private boolean matchesResource(ApiRequest request) {
    if (resource.equals(ANY)) {
      return true;
    }
    return resource.endsWith("/*")
        ? resource.equals(request.resource() + "/*")
        : resource.equals(request.qualifiedResource());
  }
}
