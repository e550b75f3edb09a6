package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.api.ApiException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The representation a client asked for. */
enum Form {
  /** The whole object. */
  FULL,
  /** {@code meta.k8s.io/v1 PartialObjectMetadata}. */
  PARTIAL;

  /** What is to be represented. */
  enum Shape {
    OBJECT,
    LIST,
    WATCH
  }

  private static final String PARTIAL_OBJECT = "PartialObjectMetadata";
  private static final String PARTIAL_LIST = "PartialObjectMetadataList";

  /**
   * Takes the first clause of the Accept header that can be served.
   *
   * @throws ApiException 406 when there is none
   */
  static Form negotiate(String accept, Shape shape) {
    if (accept.isBlank()) {
      return FULL;
    }
    for (String clause : accept.split(",", -1)) {
      String[] parts = clause.split(";", -1);
      String type = parts[0].trim().toLowerCase(Locale.ROOT);
      if (type.equals("application/json") || type.equals("application/*") || type.equals("*/*")) {
        Map<String, String> parameters = parameters(parts);
        String as = parameters.getOrDefault("as", "");
        if (as.isEmpty()) {
          return FULL;
        } else if (isPartial(as, parameters)) {
          return partial(as, shape);
        }
      }
    }
    throw new ApiException(
        406, "NotAcceptable", "only the following media types are accepted: application/json");
  }

  private static Map<String, String> parameters(String[] parts) {
    Map<String, String> found = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int at = parts[i].indexOf('=');
      if (at > 0) {
        found.put(parts[i].substring(0, at).trim(), parts[i].substring(at + 1).trim());
      }
    }
    return found;
  }

  private static boolean isPartial(String as, Map<String, String> parameters) {
    return (as.equals(PARTIAL_OBJECT) || as.equals(PARTIAL_LIST))
        && parameters.getOrDefault("g", "").equals("meta.k8s.io")
        && parameters.getOrDefault("v", "").startsWith("v1");
  }

  private static Form partial(String as, Shape shape) {
    if (shape == Shape.LIST && as.equals(PARTIAL_OBJECT)) {
      throw new ApiException(
          406,
          "NotAcceptable",
          "you requested PartialObjectMetadata, but the requested object is a list");
    } else if (shape != Shape.LIST && as.equals(PARTIAL_LIST)) {
      throw new ApiException(
          406,
          "NotAcceptable",
          "you requested PartialObjectMetadataList, but the requested object is not a list");
    }
    return PARTIAL;
  }
}
