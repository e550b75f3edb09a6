package dev.vertlet.kube.client;

import dev.vertlet.kube.KubePath;

/**
 * A resource of the API server.
 *
 * @param apiVersion group and version, {@code v1} for the core group
 * @param plural as in paths
 */
public record ApiResource(String apiVersion, String kind, String plural, boolean namespaced) {
  /** Empty for the core group. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  private String base() {
    return base(apiVersion);
  }

  static String base(String apiVersion) {
    return (apiVersion.indexOf('/') < 0 ? "/api/" : "/apis/") + apiVersion;
  }

  /** All objects. */
  public KubePath all() {
    return new KubePath(base() + "/" + plural, plural, group());
  }

  /**
   * The objects of a namespace; all of a resource without namespaces.
   *
   * @param namespace empty for all
   */
  public KubePath in(String namespace) {
    return namespaced && !namespace.isEmpty()
        ? new KubePath(base() + "/namespaces/" + namespace + "/" + plural, plural, group())
        : all();
  }

  /**
   * One object.
   *
   * @param subresource empty for none
   */
  public KubePath object(String namespace, String name, String subresource) {
    String path = in(namespace).path() + "/" + name;
    return subresource.isEmpty()
        ? new KubePath(path, plural, group())
        : new KubePath(path + "/" + subresource, plural + "/" + subresource, group());
  }
}
