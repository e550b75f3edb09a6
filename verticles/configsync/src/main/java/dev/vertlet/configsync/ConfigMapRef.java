package dev.vertlet.configsync;

/** A ConfigMap, in any version. */
record ConfigMapRef(String namespace, String name) {
  String apiPath() {
    return "/api/v1/namespaces/" + namespace + "/configmaps/" + name;
  }
}
