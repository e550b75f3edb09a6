package dev.vertlet.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.model.ImageReference;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.provider.content.RegistryCredential;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects credentials for an image from the pull secrets of its pod: for each secret in order,
 * those of the longest matching registry first.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/credentialprovider">
 *     BasicDockerKeyring and secretsToTrackedDockerConfigs, kubelet 1.36.3</a>
 */
final class PullSecrets {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DOCKER_HUB = "index.docker.io";

  private PullSecrets() {}

  /**
   * Returns the credentials to try, one after the other; empty if the image needs none.
   *
   * @param secrets in the order of the pod's {@code imagePullSecrets}; those of other types are
   *     ignored
   * @throws IllegalArgumentException for a secret that is no docker config. The message has none of
   *     its content
   */
  static List<RegistryCredential> of(String image, List<DataView> secrets) {
    List<RegistryCredential> all = new ArrayList<>();
    for (DataView secret : secrets) {
      all.addAll(entries(secret));
    }
    all.sort(Comparator.comparing(RegistryCredential::registry).reversed());
    ImageReference reference = ImageReference.parse(image);
    String name = reference.registry() + "/" + reference.repository();
    List<RegistryCredential> matching =
        all.stream().filter(credential -> matches(credential.registry(), name)).toList();
    return matching.isEmpty() && ofDockerHub(name)
        ? all.stream().filter(one -> one.registry().equals(DOCKER_HUB)).toList()
        : matching;
  }

  private static boolean ofDockerHub(String name) {
    return name.startsWith(ImageReference.DOCKER_HUB + "/") || name.startsWith(DOCKER_HUB + "/");
  }

  private static List<RegistryCredential> entries(DataView secret) {
    Buffer json = secret.bytes(".dockerconfigjson");
    if (secret.type().equals("kubernetes.io/dockerconfigjson") && json != null) {
      return entries(secret, tree(secret, json).path("auths"));
    }
    Buffer legacy = secret.bytes(".dockercfg");
    return secret.type().equals("kubernetes.io/dockercfg") && legacy != null
        ? entries(secret, tree(secret, legacy))
        : List.of();
  }

  private static JsonNode tree(DataView secret, Buffer bytes) {
    try {
      JsonNode tree = JSON.readTree(bytes.getBytes());
      if (tree.isObject()) {
        return tree;
      }
    } catch (IOException e) {
      // the exception quotes the secret
    }
    throw new IllegalArgumentException(
        "secret " + secret.namespace() + "/" + secret.name() + " is no valid docker config");
  }

  private static List<RegistryCredential> entries(DataView secret, JsonNode auths) {
    List<RegistryCredential> entries = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : auths.properties()) {
      String registry = registry(entry.getKey());
      if (registry != null) {
        entries.add(credential(secret, registry, entry.getValue()));
      }
    }
    return entries;
  }

  /** Returns host, port and path of a key; null for an invalid one, which is ignored. */
  private static @Nullable String registry(String key) {
    boolean complete = key.startsWith("https://") || key.startsWith("http://");
    try {
      URI uri = URI.create(complete ? key : "https://" + key.replace("*", "%2A"));
      String host = uri.getRawAuthority();
      String path = uri.getRawPath() == null ? "" : uri.getRawPath();
      if (host == null) {
        return null;
      }
      if (path.startsWith("/v1/") || path.startsWith("/v2/")) {
        path = path.substring(3);
      }
      return (path.equals("/") ? host : host + path).replace("%2A", "*");
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static RegistryCredential credential(DataView secret, String registry, JsonNode entry) {
    String auth = entry.path("auth").asText("").strip();
    if (auth.isEmpty()) {
      return new RegistryCredential(
          registry, entry.path("username").asText(""), entry.path("password").asText(""));
    }
    String[] parts = decoded(auth).split(":", 2);
    if (parts.length < 2) {
      throw new IllegalArgumentException(
          ("secret %s/%s: unable to parse auth field, must be formatted as"
                  + " base64(username:password)")
              .formatted(secret.namespace(), secret.name()));
    }
    return new RegistryCredential(registry, parts[0], parts[1]);
  }

  private static String decoded(String auth) {
    try {
      return new String(Base64.getDecoder().decode(auth), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** Whether host and port match, host names with wildcards, and the path is a prefix. */
  private static boolean matches(String registry, String image) {
    Location wanted = Location.of(registry);
    Location found = Location.of(image);
    if (!wanted.port.equals(found.port)
        || wanted.labels.size() != found.labels.size()
        || !found.path.startsWith(wanted.path)) {
      return false;
    }
    for (int i = 0; i < wanted.labels.size(); i++) {
      if (!matchesLabel(wanted.labels.get(i), found.labels.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean matchesLabel(String glob, String label) {
    if (!glob.contains("*")) {
      return glob.equals(label);
    }
    String pattern =
        Stream.of(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return label.matches(pattern);
  }

  private record Location(List<String> labels, String port, String path) {
    static Location of(String text) {
      int slash = text.indexOf('/');
      String host = slash < 0 ? text : text.substring(0, slash);
      int colon = host.lastIndexOf(':');
      return new Location(
          List.of((colon < 0 ? host : host.substring(0, colon)).split("\\.", -1)),
          colon < 0 ? "" : host.substring(colon + 1),
          slash < 0 ? "" : text.substring(slash));
    }
  }
}
