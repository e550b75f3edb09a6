package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells what an image's name stands for. */
public interface DigestResolver {
  /**
   * Digest of the manifest, or of the index of manifests, that a registry has under this name.
   *
   * @param image as in a pod's spec
   * @return {@code sha256:<hex>}, empty when it cannot be told now; does not fail
   */
  Future<Optional<String>> digest(String image, Credentials credentials);

  /**
   * Digests of the configurations of the images under this name, one for each platform: the same
   * content that was pushed anew or mirrored has the same.
   *
   * @param image a reference, or a bare digest of a configuration
   * @return empty when they cannot be told now; does not fail
   */
  Future<Set<String>> configDigests(String image, Credentials credentials);

  /**
   * With whose eyes a registry is looked at.
   *
   * @param namespace of the secrets
   * @param pullSecrets names of the pod's image pull secrets, tried in this order
   */
  record Credentials(String namespace, List<String> pullSecrets) {
    public Credentials {
      pullSecrets = List.copyOf(pullSecrets);
    }

    /** Those of a pod. */
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
