package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.metrics.ResourceMetrics;
import dev.vertlet.apiserver.registry.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Discovery documents: versions, groups, resources; one by one or all in one. */
final class Discovery {
  /** The media type of the documents that tell of all groups at once. */
  static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");
  private static final List<String> CREATE = List.of("create");
  private static final List<String> READ = List.of("get", "list");

  /** Subresources whose body has a kind of its own. */
  private static final Set<String> CREATE_ONLY =
      Set.of("binding", "eviction", ServiceAccountTokens.SUBRESOURCE);

  /** Subresources whose query has a kind of its own. */
  private static final Map<String, String> OPTIONS =
      Map.of(
          "exec", "PodExecOptions",
          "attach", "PodAttachOptions",
          "portforward", "PodPortForwardOptions");

  private final List<ResourceType> types = new ArrayList<>();

  Discovery(Resources resources) {
    resources.all().forEach(resource -> types.add(resource.type()));
    types.addAll(Reviews.types());
    types.addAll(ResourceMetrics.types());
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

  /** Whether a client wants everything in one document. */
  static boolean wantsAggregated(String path, String accept) {
    boolean root = path.equals("/api") || path.equals("/apis");
    for (String clause : root ? accept.split(",", -1) : new String[0]) {
      if (clause.contains("as=APIGroupDiscoveryList") && clause.contains("v=v2;")) {
        return true;
      }
    }
    return false;
  }

  /** All groups under {@code /api} or {@code /apis} with their resources. */
  ObjectNode aggregated(String path) {
    ObjectNode list =
        Json.object()
            .put("kind", "APIGroupDiscoveryList")
            .put("apiVersion", "apidiscovery.k8s.io/v2");
    list.putObject("metadata");
    ArrayNode items = list.putArray("items");
    for (Map.Entry<String, Set<String>> group : groups().entrySet()) {
      if (group.getKey().isEmpty() == path.equals("/api")) {
        ObjectNode item = items.addObject();
        ObjectNode metadata = item.putObject("metadata");
        if (!group.getKey().isEmpty()) {
          metadata.put("name", group.getKey());
        }
        ArrayNode versions = item.putArray("versions");
        group.getValue().forEach(version -> versions.add(aggregated(group.getKey(), version)));
      }
    }
    return list;
  }

  private ObjectNode aggregated(String group, String version) {
    ObjectNode document = Json.object().put("version", version);
    ArrayNode resources = document.putArray("resources");
    for (ResourceType type : types) {
      if (type.group().equals(group) && type.version().equals(version)) {
        ObjectNode entry = resources.addObject().put("resource", type.plural());
        entry.set("responseKind", responseKind(type, ""));
        entry
            .put("scope", type.namespaced() ? "Namespaced" : "Cluster")
            .put("singularResource", type.singular());
        putTexts(entry, "verbs", verbs(type));
        putTexts(entry, "shortNames", type.shortNames());
        putTexts(entry, "categories", type.categories());
        ArrayNode subresources = Json.array();
        for (String sub : type.subresources().stream().sorted().toList()) {
          ObjectNode child = subresources.addObject().put("subresource", sub);
          child.set("responseKind", responseKind(type, sub));
          putTexts(child, "verbs", verbs(sub));
        }
        if (!subresources.isEmpty()) {
          entry.set("subresources", subresources);
        }
      }
    }
    return document.put("freshness", "Current");
  }

  private static ObjectNode responseKind(ResourceType type, String subresource) {
    return switch (subresource) {
      case "binding" -> kind("", "v1", "Binding");
      case "eviction" -> kind("policy", "v1", "Eviction");
      case ServiceAccountTokens.SUBRESOURCE ->
          kind(
              ServiceAccountTokens.TYPE.group(),
              ServiceAccountTokens.TYPE.version(),
              ServiceAccountTokens.TYPE.kind());
      default -> kind(type.group(), type.version(), kindOf(type, subresource));
    };
  }

  private static String kindOf(ResourceType type, String subresource) {
    return subresource.equals("proxy")
        ? type.kind() + "ProxyOptions"
        : OPTIONS.getOrDefault(subresource, type.kind());
  }

  private static ObjectNode kind(String group, String version, String kind) {
    return Json.object().put("group", group).put("version", version).put("kind", kind);
  }

  /** An empty list is left out, as Go's omitempty does. */
  private static void putTexts(ObjectNode object, String field, List<String> texts) {
    if (!texts.isEmpty()) {
      ArrayNode array = object.putArray(field);
      texts.forEach(array::add);
    }
  }

  private static List<String> verbs(ResourceType type) {
    if (Reviews.types().contains(type)) {
      return CREATE;
    } else if (ResourceMetrics.types().contains(type)) {
      return READ;
    }
    return type.kind().equals("Namespace") // one by one only, they take too much with them
        ? VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList()
        : VERBS;
  }

  private static List<String> verbs(String subresource) {
    if (OPTIONS.containsKey(subresource)) {
      return List.of("create", "get");
    }
    return switch (subresource) {
      case "log" -> List.of("get");
      case "finalize" -> List.of("update");
      case "proxy" -> List.of("create", "delete", "get", "patch", "update");
      default -> CREATE_ONLY.contains(subresource) ? CREATE : SUBRESOURCE_VERBS;
    };
  }

  /** Groups with their versions, in the order of the resources. */
  private Map<String, Set<String>> groups() {
    Map<String, Set<String>> groups = new LinkedHashMap<>();
    for (ResourceType type : types) {
      groups.computeIfAbsent(type.group(), name -> new LinkedHashSet<>()).add(type.version());
    }
    return groups;
  }

  /** The document at a path, none for a path that is no discovery path. */
  Optional<ObjectNode> at(String path, String address) {
    if (path.equals("/version")) {
      return Optional.of(version());
    } else if (path.equals("/api")) {
      return Optional.of(coreVersions(address));
    } else if (path.equals("/apis")) {
      return Optional.of(groupList());
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

  private ObjectNode groupList() {
    ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    groups().keySet().forEach(name -> group(name).ifPresent(group -> groups.add(groupBody(group))));
    return list;
  }

  /** Inside a list a group does not repeat its kind. */
  private static ObjectNode groupBody(ObjectNode group) {
    group.remove(List.of("kind", "apiVersion"));
    return group;
  }

  private Optional<ObjectNode> group(String name) {
    Set<String> versions = groups().getOrDefault(name, Set.of());
    if (versions.isEmpty() || name.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode group =
        Json.object().put("kind", "APIGroup").put("apiVersion", "v1").put("name", name);
    ArrayNode array = group.putArray("versions");
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
    ArrayNode array = list.putArray("resources");
    for (ResourceType type : types) {
      if (type.apiVersion().equals(groupVersion)) {
        ObjectNode entry = entry(type, type.plural(), verbs(type));
        entry.put("singularName", type.singular());
        putTexts(entry, "shortNames", type.shortNames());
        putTexts(entry, "categories", type.categories());
        array.add(entry);
        type.subresources().stream().sorted().forEach(sub -> array.add(subresource(type, sub)));
      }
    }
    return list;
  }

  private static ObjectNode subresource(ResourceType type, String sub) {
    ObjectNode entry = entry(type, type.plural() + "/" + sub, verbs(sub));
    if (sub.equals("binding")) {
      entry.put("kind", "Binding");
    } else if (sub.equals("eviction")) {
      entry.put("group", "policy").put("version", "v1").put("kind", "Eviction");
    } else if (sub.equals(ServiceAccountTokens.SUBRESOURCE)) {
      ResourceType asked = ServiceAccountTokens.TYPE;
      entry.put("group", asked.group()).put("version", asked.version()).put("kind", asked.kind());
    } else {
      entry.put("kind", kindOf(type, sub));
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
    putTexts(entry, "verbs", verbs);
    return entry;
  }
}
