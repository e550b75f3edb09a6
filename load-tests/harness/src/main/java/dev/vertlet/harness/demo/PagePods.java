package dev.vertlet.harness.demo;

import dev.vertlet.apiserver.LoopbackPorts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pods whose containers are processes of this machine, each with a {@link PageServer} on a port of
 * its own.
 *
 * @param ports one per pod
 */
record PagePods(List<Integer> ports) {
  /** Image of the machine's own files, of which all containers are made. */
  static final String IMAGE = "host";

  private static final String PORT = "http";

  PagePods {
    ports = List.copyOf(ports);
  }

  /** Pods on free ports. */
  static PagePods create(int count) {
    return new PagePods(IntStream.range(0, count).mapToObj(i -> LoopbackPorts.next()).toList());
  }

  /**
   * Settings of the agent, as {@code path=value}.
   *
   * @param root whether the agent's user is root, which the provider refuses to containers unless
   *     it is allowed
   */
  static String[] settings(boolean root) {
    JsonObject process =
        new JsonObject()
            .put("allowRoot", root)
            .put(
                "images",
                new JsonArray().add(new JsonObject().put("pattern", IMAGE).put("root", "host")));
    return new String[] {
      "nodes.0.provider=" + DemoProvider.PROCESS,
      "nodes.0.capacity={}",
      "providers.settings.process=" + process.encode(),
      // processes would go on without their agent
      "agent.drainOnShutdown=true"
    };
  }

  /** Containers of a pod, from 0. */
  JsonArray containers(int pod) {
    int port = ports.get(pod);
    return new JsonArray()
        .add(
            new JsonObject()
                .put("name", "page")
                .put("image", IMAGE)
                .put("command", new JsonArray(command(port)))
                .put(
                    "env",
                    new JsonArray()
                        .add(variable("POD_NAME", "metadata.name"))
                        .add(variable("NODE_NAME", "spec.nodeName")))
                .put(
                    "ports",
                    new JsonArray()
                        .add(new JsonObject().put("name", PORT).put("containerPort", port)))
                .put(
                    "readinessProbe",
                    new JsonObject()
                        .put("initialDelaySeconds", 1)
                        .put("periodSeconds", 1)
                        .put(
                            "httpGet",
                            new JsonObject()
                                .put("host", "127.0.0.1")
                                .put("port", port)
                                .put("path", PageServer.HEALTH))));
  }

  private static JsonObject variable(String name, String field) {
    return new JsonObject()
        .put("name", name)
        .put(
            "valueFrom",
            new JsonObject().put("fieldRef", new JsonObject().put("fieldPath", field)));
  }

  /** The Java of this process, which is surely there. */
  private static List<String> command(int port) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx32m",
        "-XX:+UseSerialGC",
        "-cp",
        classPath(),
        PageServer.class.getName(),
        Integer.toString(port),
        Long.toString(ProcessHandle.current().pid()));
  }

  private static String classPath() {
    try {
      return Path.of(PageServer.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Service for all pods.
   *
   * @param app value of their label {@code app}
   */
  static JsonObject service(String app) {
    return new JsonObject()
        .put("apiVersion", "v1")
        .put("kind", "Service")
        .put("metadata", new JsonObject().put("name", app))
        .put(
            "spec",
            new JsonObject()
                .put("selector", new JsonObject().put("app", app))
                .put(
                    "ports",
                    new JsonArray().add(new JsonObject().put("port", 80).put("targetPort", PORT))));
  }

  /** Addresses of the pages, in the order of the pods. */
  List<String> urls() {
    return ports.stream().map(port -> "http://127.0.0.1:%d/".formatted(port)).toList();
  }
}
