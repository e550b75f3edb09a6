package dev.vertlet.configsync.source;

/** A ConfigMap, in any version. */
public record ConfigMapRef(String namespace, String name) {
  String apiPath() {
    return "/api/v1/namespaces/" + namespace + "/configmaps/" + name;
  }
}
