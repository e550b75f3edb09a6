package dev.vertlet.harness.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Attributes of an API request, in the terms of Kubernetes' authorization: verb, resource,
 * subresource.
 *
 * @param verb get, list, watch, create, update, patch, delete, deletecollection; the method in
 *     lower case for a non-resource path
 * @param resource plural name, for example {@code pods}; empty for a non-resource path
 * @param subresource for example {@code status}; empty for the object itself
 * @param namespace empty if the request names none
 * @param name name of the object; empty for a collection
 */
public record ApiRequest(
    String verb, String resource, String subresource, String namespace, String name) {
  private static final Pattern WATCH = Pattern.compile("(^|&)watch(=(true|1|t|T|TRUE|True))?(&|$)");

  /** Parses method and request target like the API server's request info resolver. */
  public static ApiRequest of(String method, String target) {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : target.substring(question + 1);
    List<String> parts = Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
    int prefix = prefixLength(parts);
    if (prefix == 0 || parts.size() == prefix) {
      return new ApiRequest(method.toLowerCase(Locale.ROOT), "", "", "", "");
    }
    return ofResource(method, parts.subList(prefix, parts.size()), WATCH.matcher(query).find());
  }

  /** Number of segments in {@code api/v1} or {@code apis/group/version}; 0 for any other path. */
  private static int prefixLength(List<String> parts) {
    if (parts.size() >= 2 && parts.get(0).equals("api")) {
      return 2;
    }
    return parts.size() >= 3 && parts.get(0).equals("apis") ? 3 : 0;
  }

  private static ApiRequest ofResource(String method, List<String> parts, boolean watch) {
    String namespace = "";
    List<String> rest = parts;
    if (parts.get(0).equals("namespaces") && parts.size() > 1) {
      namespace = parts.get(1);
      if (parts.size() > 2 && !List.of("status", "finalize").contains(parts.get(2))) {
        rest = parts.subList(2, parts.size());
      }
    }
    String name = at(rest, 1);
    String verb = verb(method, name.isEmpty(), watch);
    return new ApiRequest(verb, rest.get(0), at(rest, 2), namespace, name);
  }

  private static String verb(String method, boolean collection, boolean watch) {
    return switch (method) {
      case "GET", "HEAD" -> watch ? "watch" : collection ? "list" : "get";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> collection ? "deletecollection" : "delete";
      default -> method.toLowerCase(Locale.ROOT);
    };
  }

  private static String at(List<String> parts, int index) {
    return index < parts.size() ? parts.get(index) : "";
  }

  /** Whether the request keeps its connection busy until one side ends it. */
  public boolean isWatch() {
    return verb.equals("watch");
  }

  /** {@code pods/status}, or {@code pods} without a subresource. */
  public String qualifiedResource() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }
}
