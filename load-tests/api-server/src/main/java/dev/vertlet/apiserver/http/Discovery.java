package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Discovery documents: versions, groups, resources. */
final class Discovery {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

  /** Subresources whose body has a kind of its own. */
  private static final List<String> CREATE_ONLY = List.of("binding", "eviction");

  private final Resources resources;

  Discovery(Resources resources) {
    this.resources = resources;
  }

  static ObjectNode version() {
    return Json.object()
        .put("major", "1")
        .put("minor", "36")
        .put("gitVersion", "v1.36.3")
        .put("gitCommit", "")
        .put("gitTreeState", "")
        .put("buildDate", "1970-01-01T00:00:00Z")
        .put("goVersion", "")
        .put("compiler", "")
        .put("platform", "linux/amd64");
  }

  /** The document at a path, none for a path that is no discovery path. */
  Optional<ObjectNode> at(String path, String address) {
    if (path.equals("/version")) {
      return Optional.of(version());
    } else if (path.equals("/api")) {
      return Optional.of(coreVersions(address));
    } else if (path.equals("/apis")) {
      return Optional.of(groups());
    } else if (path.equals("/api/v1")) {
      return Optional.of(resourceList("v1"));
    } else if (path.startsWith("/apis/")) {
      String rest = path.substring("/apis/".length());
      return rest.indexOf('/') < 0
          ? group(rest)
          : Optional.of(resourceList(rest)).filter(list -> !list.path("resources").isEmpty());
    }
    return Optional.empty();
  }

  private static ObjectNode coreVersions(String address) {
    ObjectNode versions = Json.object().put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    versions
        .putArray("serverAddressByClientCIDRs")
        .addObject()
        .put("clientCIDR", "0.0.0.0/0")
        .put("serverAddress", address);
    return versions;
  }

  private ObjectNode groups() {
    ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    var groups = list.putArray("groups");
    Set<String> names = new LinkedHashSet<>();
    resources.all().forEach(resource -> names.add(resource.type().group()));
    names.remove("");
    names.forEach(name -> group(name).ifPresent(group -> groups.add(groupBody(group))));
    return list;
  }

  /** Inside a list a group does not repeat its kind. */
  private static ObjectNode groupBody(ObjectNode group) {
    group.remove(List.of("kind", "apiVersion"));
    return group;
  }

  private Optional<ObjectNode> group(String name) {
    Set<String> versions = new LinkedHashSet<>();
    for (Resource resource : resources.all()) {
      if (resource.type().group().equals(name)) {
        versions.add(resource.type().version());
      }
    }
    if (versions.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode group =
        Json.object().put("kind", "APIGroup").put("apiVersion", "v1").put("name", name);
    var array = group.putArray("versions");
    versions.forEach(version -> array.add(groupVersion(name, version)));
    group.set("preferredVersion", groupVersion(name, versions.iterator().next()));
    return Optional.of(group);
  }

  private static ObjectNode groupVersion(String group, String version) {
    return Json.object().put("groupVersion", group + "/" + version).put("version", version);
  }

  private ObjectNode resourceList(String groupVersion) {
    ObjectNode list =
        Json.object()
            .put("kind", "APIResourceList")
            .put("apiVersion", "v1")
            .put("groupVersion", groupVersion);
    var array = list.putArray("resources");
    for (Resource resource : resources.all()) {
      ResourceType type = resource.type();
      if (type.apiVersion().equals(groupVersion)) {
        ObjectNode entry = entry(type, type.plural(), VERBS);
        entry.put("singularName", type.singular());
        if (!type.shortNames().isEmpty()) {
          var names = entry.putArray("shortNames");
          type.shortNames().forEach(names::add);
        }
        array.add(entry);
        type.subresources().stream().sorted().forEach(sub -> array.add(subresource(type, sub)));
      }
    }
    return list;
  }

  private static ObjectNode subresource(ResourceType type, String sub) {
    boolean createOnly = CREATE_ONLY.contains(sub);
    ObjectNode entry =
        entry(type, type.plural() + "/" + sub, createOnly ? List.of("create") : SUBRESOURCE_VERBS);
    if (sub.equals("binding")) {
      entry.put("kind", "Binding");
    } else if (sub.equals("eviction")) {
      entry.put("group", "policy").put("version", "v1").put("kind", "Eviction");
    }
    return entry;
  }

  private static ObjectNode entry(ResourceType type, String name, List<String> verbs) {
    ObjectNode entry =
        Json.object()
            .put("name", name)
            .put("singularName", "")
            .put("namespaced", type.namespaced())
            .put("kind", type.kind());
    var array = entry.putArray("verbs");
    verbs.forEach(array::add);
    return entry;
  }
}
