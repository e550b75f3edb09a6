package dev.vertlet.harness.result.servicelevel;

import java.util.Comparator;
import java.util.Locale;

/**
 * Requests that a service level takes together.
 *
 * @param verb verb of the API server's metrics, for example {@code PATCH} or {@code LIST}; a read
 *     of one object is {@code GET} also where a list names it
 * @param group API group; empty for core and where a client does not tell
 * @param resource with subresource, for example {@code pods/status}
 * @param scope {@code resource} for one object, {@code namespace} or {@code cluster}
 */
public record RequestKind(String verb, String group, String resource, String scope)
    implements Comparable<RequestKind> {
  private static final String ONE = "resource";

  public RequestKind {
    if (verb.equals("GET") || verb.equals("LIST")) {
      verb = scope.equals(ONE) ? "GET" : "LIST";
    }
  }

  /**
   * Requests as a client names them.
   *
   * @param verb RBAC's verb
   * @param named whether the request names an object
   * @param namespace empty for none
   */
  public static RequestKind ofClient(
      String verb, String resource, boolean named, String namespace) {
    String method =
        switch (verb) {
          case "create" -> "POST";
          case "update" -> "PUT";
          default -> verb.toUpperCase(Locale.ROOT);
        };
    boolean one = named || method.equals("POST");
    return new RequestKind(
        method, "", resource, one ? ONE : namespace.isEmpty() ? "cluster" : "namespace");
  }

  /** Name for display, for example {@code PATCH pods/status} or {@code LIST pods (cluster)}. */
  public String name() {
    int slash = resource.indexOf('/');
    String full =
        group.isEmpty()
            ? resource
            : slash < 0
                ? resource + "." + group
                : resource.substring(0, slash) + "." + group + resource.substring(slash);
    return verb + " " + full + (scope.equals(ONE) || scope.isEmpty() ? "" : " (" + scope + ")");
  }

  boolean isOfOneObject() {
    return scope.equals(ONE);
  }

  @Override
  public int compareTo(RequestKind other) {
    return Comparator.comparing(RequestKind::resource)
        .thenComparing(RequestKind::group)
        .thenComparing(RequestKind::verb)
        .thenComparing(RequestKind::scope)
        .compare(this, other);
  }
}
