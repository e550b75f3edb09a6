package dev.vertlet.apiserver.http;

import java.util.List;
import java.util.Set;

/**
 * What a URL and a method mean, by the rules of {@code
 * k8s.io/apiserver/pkg/endpoints/request/requestinfo.go}. Texts that do not apply are empty.
 *
 * @param isResource whether the URL addresses a resource; otherwise only the verb is set
 * @param rest what follows the subresource {@code proxy}, as it was written, with its slash
 */
record RequestInfo(
    boolean isResource,
    String verb,
    String group,
    String version,
    String namespace,
    String resource,
    String subresource,
    String name,
    String rest) {

  /** What this subresource passes on begins after it. */
  private static final String PROXY = "proxy";

  /** Subresources of a namespace itself, which must not be taken for resources inside it. */
  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

  /**
   * @param watch whether the query asks for a watch
   */
  static RequestInfo of(String method, String path, boolean watch) {
    List<String> parts =
        List.of(path.split("/", -1)).stream().filter(part -> !part.isEmpty()).toList();
    int prefix = parts.isEmpty() ? 0 : parts.get(0).equals("api") ? 2 : 3;
    boolean api = prefix > 0 && (parts.get(0).equals("api") || parts.get(0).equals("apis"));
    if (!api || parts.size() <= prefix) {
      return new RequestInfo(
          false, method.toLowerCase(java.util.Locale.ROOT), "", "", "", "", "", "", "");
    }
    String group = prefix == 3 ? parts.get(1) : "";
    List<String> rest = parts.subList(prefix, parts.size());
    boolean watches = watch;
    if (rest.get(0).equals("watch") && rest.size() > 1) { // the old form, before parameters
      watches = true;
      rest = rest.subList(1, rest.size());
    }
    String namespace = "";
    if (rest.get(0).equals("namespaces")
        && rest.size() > 2
        && !NAMESPACE_SUBRESOURCES.contains(rest.get(2))) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    String name = rest.size() > 1 ? rest.get(1) : "";
    boolean proxy = rest.size() > 2 && rest.get(2).equals(PROXY);
    String subresource =
        proxy ? PROXY : rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "";
    return new RequestInfo(
        true,
        verb(method, name, watches),
        group,
        parts.get(prefix - 1),
        namespace,
        rest.get(0),
        subresource,
        name,
        proxy ? afterProxy(path, parts.size() - rest.size() + 3) : "");
  }

  /** The path without its first segments; empty segments do not count. */
  private static String afterProxy(String path, int segments) {
    int at = 0;
    for (int left = segments; left > 0; left--) {
      while (path.charAt(at) == '/') {
        at++;
      }
      int slash = path.indexOf('/', at);
      at = slash < 0 ? path.length() : slash;
    }
    return path.substring(at);
  }

  private static String verb(String method, String name, boolean watch) {
    boolean collection = name.isEmpty();
    if (method.equals("GET") || method.equals("HEAD")) {
      if (watch) {
        return "watch";
      }
      return collection ? "list" : "get";
    } else if (method.equals("POST")) {
      return "create";
    } else if (method.equals("PUT")) {
      return "update";
    } else if (method.equals("PATCH")) {
      return "patch";
    } else if (method.equals("DELETE")) {
      return collection ? "deletecollection" : "delete";
    }
    return method.toLowerCase(java.util.Locale.ROOT);
  }

  String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
