package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Resolves image names to digests. */
public interface DigestResolver {
  /**
   * Digest of the manifest, or of the index of manifests, that a registry has under this name.
   *
   * @param image as in a pod's spec
   * @return {@code sha256:<hex>}, empty if it is unknown for now; does not fail
   */
  Future<Optional<String>> digest(String image, Credentials credentials);

  /**
   * Digests of the configurations of the images under this name, one for each platform: the same
   * content has the same digests after another push or on a mirror.
   *
   * @param image a reference, or a bare digest of a configuration
   * @return empty if they are unknown for now; does not fail
   */
  Future<Set<String>> configDigests(String image, Credentials credentials);

  /**
   * Secrets for access to a registry.
   *
   * @param namespace of the secrets
   * @param pullSecrets names of the pod's image pull secrets, tried in this order
   */
  record Credentials(String namespace, List<String> pullSecrets) {
    public Credentials {
      pullSecrets = List.copyOf(pullSecrets);
    }

    /** Returns the secrets of a pod. */
    public static Credentials of(JsonNode pod) {
      List<String> secrets = new ArrayList<>();
      pod.path("spec")
          .path("imagePullSecrets")
          .forEach(secret -> secrets.add(secret.path("name").asText("")));
      secrets.removeIf(String::isEmpty);
      return new Credentials(PodTree.namespace(pod), secrets);
    }
  }
}
