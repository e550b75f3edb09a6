package dev.vertlet.apiserver.api;

import java.util.List;
import java.util.Set;

/**
 * One resource as discovery announces it.
 *
 * @param group API group, empty for the core group
 * @param version version within the group
 * @param plural name in URLs, such as {@code pods}
 * @param singular singular name that discovery announces
 * @param kind kind of one object
 * @param namespaced whether objects live in a namespace
 * @param shortNames abbreviations kubectl accepts
 * @param categories groups of resources kubectl accepts, such as {@code all}
 * @param subresources subresources that answer, such as {@code status}
 */
public record ResourceType(
    String group,
    String version,
    String plural,
    String singular,
    String kind,
    boolean namespaced,
    List<String> shortNames,
    List<String> categories,
    Set<String> subresources) {

  public ResourceType {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    subresources = Set.copyOf(subresources);
  }

  /** A namespaced resource without short names and subresources. */
  public static ResourceType namespaced(String apiVersion, String plural, String kind) {
    return of(apiVersion, plural, kind, true);
  }

  /** A cluster-scoped resource without short names and subresources. */
  public static ResourceType cluster(String apiVersion, String plural, String kind) {
    return of(apiVersion, plural, kind, false);
  }

  private static ResourceType of(
      String apiVersion, String plural, String kind, boolean namespaced) {
    int slash = apiVersion.indexOf('/');
    return new ResourceType(
        slash < 0 ? "" : apiVersion.substring(0, slash),
        apiVersion.substring(slash + 1),
        plural,
        kind.toLowerCase(java.util.Locale.ROOT),
        kind,
        namespaced,
        List.of(),
        List.of(),
        Set.of());
  }

  /** The same type with these short names. */
  public ResourceType withShortNames(String... names) {
    return new ResourceType(
        group,
        version,
        plural,
        singular,
        kind,
        namespaced,
        List.of(names),
        categories,
        subresources);
  }

  /** The same type in these categories. */
  public ResourceType withCategories(String... names) {
    return new ResourceType(
        group,
        version,
        plural,
        singular,
        kind,
        namespaced,
        shortNames,
        List.of(names),
        subresources);
  }

  /** The same type with these subresources. */
  public ResourceType withSubresources(String... names) {
    return new ResourceType(
        group, version, plural, singular, kind, namespaced, shortNames, categories, Set.of(names));
  }

  /** {@code v1} or {@code group/version}. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** {@code pods} or {@code leases.coordination.k8s.io}, the form error messages use. */
  public String qualifiedResource() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** {@code Pod} or {@code Lease.coordination.k8s.io}, the form validation messages use. */
  public String qualifiedKind() {
    return group.isEmpty() ? kind : kind + "." + group;
  }
}
