package dev.vertlet.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;

/** Small manifests tests begin with. Each call returns a new tree, to be changed at will. */
public final class Manifests {
  /** Name of the ConfigMap in {@code kube-system} by which others know the server's clients. */
  static final String CLIENT_AUTHORITY = "extension-apiserver-authentication";

  private Manifests() {}

  /** A node with this name and nothing else. */
  public static ObjectNode node(String name) {
    ObjectNode node = Json.object().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", name);
    return node;
  }

  /** A pod in {@code default} with one container. */
  public static ObjectNode pod(String name) {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", name).put("namespace", "default");
    pod.putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", "main")
        .put("image", "example.com/app:1");
    return pod;
  }

  /** A pod in {@code default} that is bound to a node already. */
  public static ObjectNode pod(String name, String node) {
    ObjectNode pod = pod(name);
    Json.child(pod, "spec").put("nodeName", node);
    return pod;
  }

  /** The Service {@code kubernetes} of a server that listens on this port. */
  static ObjectNode kubernetesService(int port) {
    ObjectNode service = Json.object().put("apiVersion", "v1").put("kind", "Service");
    service
        .putObject("metadata")
        .put("name", "kubernetes")
        .put("namespace", "default")
        .putObject("labels")
        .put("component", "apiserver")
        .put("provider", "kubernetes");
    ObjectNode spec = service.putObject("spec").put("clusterIP", "10.0.0.1");
    spec.putArray("ports")
        .addObject()
        .put("name", "https")
        .put("port", 443)
        .put("protocol", "TCP")
        .put("targetPort", port);
    return service;
  }

  /** Which authority vouches for the certificate that the server shows to kubelets. */
  static ObjectNode clientAuthority(String caPem) {
    ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("name", CLIENT_AUTHORITY).put("namespace", "kube-system");
    map.putObject("data").put("client-ca-file", caPem);
    return map;
  }
}
