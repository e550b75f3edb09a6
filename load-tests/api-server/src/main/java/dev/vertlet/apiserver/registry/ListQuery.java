package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.selector.FieldSelector;
import dev.vertlet.apiserver.selector.LabelSelector;
import dev.vertlet.apiserver.store.StoredObject;
import java.util.function.Function;

/**
 * Parameters of a list or watch.
 *
 * @param namespace scope, empty for all
 * @param limit page size, 0 for no paging
 * @param continueToken where a further page starts, empty for the first
 * @param resourceVersion as the client wrote it, empty for "latest"
 * @param match {@code resourceVersionMatch}, empty when absent
 */
public record ListQuery(
    Resource resource,
    String namespace,
    LabelSelector labels,
    FieldSelector fields,
    int limit,
    String continueToken,
    String resourceVersion,
    String match) {

  /** Everything of a resource in a namespace, or everywhere. */
  public static ListQuery all(Resource resource, String namespace) {
    return of(resource, namespace, name -> "");
  }

  /**
   * Reads the query parameters.
   *
   * @param parameters the value of a parameter, empty when absent
   * @throws ApiException 400 or 422 for parameters the real server refuses too
   */
  public static ListQuery of(
      Resource resource, String namespace, Function<String, String> parameters) {
    return new ListQuery(
        resource,
        namespace,
        LabelSelector.parse(parameters.apply("labelSelector")),
        resource.fieldSelector(parameters.apply("fieldSelector")),
        limit(parameters.apply("limit")),
        parameters.apply("continue"),
        parameters.apply("resourceVersion"),
        parameters.apply("resourceVersionMatch"));
  }

  private static int limit(String text) {
    try {
      return text.isEmpty() ? 0 : Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw ApiException.badRequest("limit must be a number, got \"%s\"".formatted(text));
    }
  }

  /** Whether an object is in the scope and passes both selectors. */
  public boolean matches(StoredObject object) {
    return (namespace.isEmpty() || namespace.equals(object.namespace()))
        && (labels.isEmpty() || labels.matches(object.json().path("metadata").path("labels")))
        && (fields.isEmpty() || fields.matches(label -> resource.field(object, label)));
  }

  /** Whether nothing but the scope selects. */
  boolean selectsAll() {
    return labels.isEmpty() && fields.isEmpty();
  }

  /** The revision asked for, 0 when none is. */
  public long revision() {
    if (resourceVersion.isEmpty()) {
      return 0;
    }
    try {
      return Long.parseUnsignedLong(resourceVersion);
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          "invalid resource version: resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": invalid syntax"
              .formatted(resourceVersion, resourceVersion));
    }
  }
}
