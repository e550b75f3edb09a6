package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.harness.cluster.ControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;

/** The shipped manifests. */
final class Manifests {
  private static final Path ROOT =
      Path.of("..", "..", "k8s", "manifests").toAbsolutePath().normalize();

  static final Path BASE = ROOT.resolve("base");

  /** Namespace, ServiceAccount and RBAC alone. */
  static final Path ACCESS = BASE.resolve("access");

  /** The server of sandboxes. */
  static final Path SANDBOX = BASE.resolve("sandbox");

  static final Path SANDBOX_OVERLAY = ROOT.resolve("overlays").resolve("sandbox");

  /** Agents with provider {@code cri}. */
  static final Path CRI = ROOT.resolve("overlays").resolve("cri");

  /** What agents with static pods need besides. */
  static final Path STATIC_PODS = BASE.resolve("static-pods");

  /** What agents that read Secrets need besides. */
  static final Path SECRETS = BASE.resolve("secrets");

  /** What {@code ./vertlet record} may read. */
  static final Path RECORD = BASE.resolve("record");

  static final Path CONTENT = BASE.resolve("content");

  static final Path REPLICAS = BASE.resolve("replicas");

  /** What agents that ask for serving certificates need besides. */
  static final Path SERVING_CERTIFICATES = BASE.resolve("serving-certificates");

  /** What keeps people from mistakes in config sources. */
  static final Path CONFIG_POLICY = BASE.resolve("config-policy");

  static final Path DAEMON_SET = ROOT.resolve("overlays").resolve("daemonset");

  /** Several agents that divide the nodes. */
  static final Path LOAD_TEST = ROOT.resolve("overlays").resolve("load-test");

  private Manifests() {}

  /** The objects that {@code kubectl apply -k} would apply. */
  static List<HasMetadata> render(
      ControlPlane controlPlane, KubernetesClient client, Path kustomization) {
    String yaml = controlPlane.kubectl("kustomize", kustomization.toString());
    return client.load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).items();
  }

  /** The objects of one kind. */
  static <T> List<T> of(Class<T> kind, List<HasMetadata> objects) {
    return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
