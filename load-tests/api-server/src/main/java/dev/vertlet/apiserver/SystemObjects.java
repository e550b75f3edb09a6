package dev.vertlet.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Resources;
import dev.vertlet.apiserver.registry.Strategy;
import java.util.List;

/** Objects that the API server itself writes into every cluster. Confined to the server's loop. */
final class SystemObjects {
  /** Namespaces every cluster starts with. */
  private static final List<String> NAMESPACES =
      List.of("default", "kube-node-lease", "kube-public", "kube-system");

  private final Registry registry;
  private final Resources resources;

  SystemObjects(Registry registry, Resources resources) {
    this.registry = registry;
    this.resources = resources;
  }

  /** Creates the namespaces that do not exist yet. */
  void createNamespaces() {
    Resource namespaces = resources.find("namespaces").orElseThrow();
    for (String name : NAMESPACES) {
      var namespace = Json.object();
      namespace.putObject("metadata").put("name", name);
      if (registry.find(namespaces, "", name).isEmpty()) {
        registry.create(namespaces, "", namespace, false);
      }
    }
  }

  /** Publishes the Service by which pods find the API server. */
  void publishService(int port) {
    Resource services = resources.find("services").orElseThrow();
    ObjectNode wanted = Manifests.kubernetesService(port);
    if (registry.find(services, "default", "kubernetes").isEmpty()) {
      registry.create(services, "default", wanted, false);
      return;
    }
    registry.patch( // after a restart the port may be another one
        services,
        Strategy.Part.MAIN,
        "default",
        "kubernetes",
        view -> {
          Json.child(view, "spec").set("ports", Json.at(wanted, "spec", "ports"));
          return view;
        },
        false);
  }

  /** Publishes the authority by which kubelets know the server, under the real server's key. */
  void publishClientAuthority(String caPem) {
    Resource configMaps = resources.find("configmaps").orElseThrow();
    ObjectNode wanted = Manifests.clientAuthority(caPem);
    if (registry.find(configMaps, "kube-system", Manifests.CLIENT_AUTHORITY).isEmpty()) {
      registry.create(configMaps, "kube-system", wanted, false);
      return;
    }
    registry.patch(
        configMaps,
        Strategy.Part.MAIN,
        "kube-system",
        Manifests.CLIENT_AUTHORITY,
        view -> {
          ((ObjectNode) view).set("data", wanted.get("data"));
          return view;
        },
        false);
  }
}
