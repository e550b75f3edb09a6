package dev.vertlet.apiserver.namespace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoreEvent;

/** Keeps the objects that every namespace has; one that is deleted comes back. */
public final class NamespaceDefaults {
  private static final String ACCOUNT = "default";
  private static final String ROOT_CA = "kube-root-ca.crt";

  private final Cluster cluster;
  private final String caPem;
  private final Resource namespaces;
  private final Resource accounts;
  private final Resource configMaps;
  private final WorkQueue<String> queue;

  /**
   * @param caPem certificate that clients inside the cluster should trust, empty for plain http
   */
  public NamespaceDefaults(Cluster cluster, String caPem) {
    this.cluster = cluster;
    this.caPem = caPem;
    this.namespaces = cluster.resource("namespaces");
    this.accounts = cluster.resource("serviceaccounts");
    this.configMaps = cluster.resource("configmaps");
    this.queue = new WorkQueue<>(cluster, this::furnish);
  }

  public void start() {
    cluster.follow(
        namespaces,
        namespace -> queue.add(namespace.name()),
        event -> event.after().ifPresent(namespace -> queue.add(namespace.name())));
    cluster.follow(accounts, known -> {}, event -> gone(event, ACCOUNT));
    cluster.follow(configMaps, known -> {}, event -> gone(event, ROOT_CA));
  }

  private void gone(StoreEvent event, String name) {
    if (event.after().isEmpty() && event.gone().name().equals(name)) {
      queue.add(event.gone().namespace());
    }
  }

  private void furnish(String namespace) {
    boolean open =
        cluster
            .find(namespaces, "", namespace)
            .filter(found -> !found.json().path("metadata").has("deletionTimestamp"))
            .isPresent();
    if (open && cluster.find(accounts, namespace, ACCOUNT).isEmpty()) {
      cluster.create(accounts, namespace, named(ACCOUNT));
    }
    if (open && cluster.find(configMaps, namespace, ROOT_CA).isEmpty()) {
      ObjectNode configMap = named(ROOT_CA);
      Json.child(Json.child(configMap, "metadata"), "annotations")
          .put(
              "kubernetes.io/description",
              "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
                  + " endpoints such as the internal service IP or kubernetes.default.svc. No other usage"
                  + " is guaranteed across distributions of Kubernetes clusters.");
      configMap.putObject("data").put("ca.crt", caPem);
      cluster.create(configMaps, namespace, configMap);
    }
  }

  private static ObjectNode named(String name) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name);
    return object;
  }
}
