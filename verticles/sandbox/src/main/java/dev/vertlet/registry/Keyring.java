package dev.vertlet.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.model.ImageReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Logins of image pull secrets by registry and path, chosen as kubelets do: the longest matching
 * path first, and equal ones in the order of the secrets. Pure.
 */
final class Keyring {
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Key(String host, String path, Login login) {
    boolean fits(ImageReference image) {
      return hostFits(image.registry())
          && (path.isEmpty()
              || image.repository().equals(path)
              || image.repository().startsWith(path + "/"));
    }

    /**
     * Whether the host matches; a star stands for one label of the name, as in {@code
     * *.example.com}.
     */
    private boolean hostFits(String registry) {
      String[] pattern = host.split("\\.", -1);
      String[] name = registry.toLowerCase(Locale.ROOT).split("\\.", -1);
      if (pattern.length != name.length) {
        return false;
      }
      for (int i = 0; i < name.length; i++) {
        if (!pattern[i].equals("*") && !pattern[i].equals(name[i])) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<Key> keys = new ArrayList<>();

  /**
   * Adds the content of a secret of type {@code kubernetes.io/dockerconfigjson} or {@code
   * kubernetes.io/dockercfg}; malformed entries are left out.
   */
  Keyring add(String json) {
    JsonNode document;
    try {
      document = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      return this;
    }
    JsonNode auths = document.has("auths") ? document.path("auths") : document;
    auths
        .fields()
        .forEachRemaining(
            entry -> {
              Login login = login(entry.getValue());
              if (!login.isAnonymous()) {
                keys.add(key(entry.getKey(), login));
              }
            });
    return this;
  }

  private static Login login(JsonNode entry) {
    String auth = entry.path("auth").asText("");
    if (!auth.isEmpty()) {
      try {
        String both = new String(Base64.getMimeDecoder().decode(auth), StandardCharsets.UTF_8);
        int colon = both.indexOf(':');
        if (colon >= 0) {
          return new Login(both.substring(0, colon), both.substring(colon + 1));
        }
      } catch (IllegalArgumentException e) {
        return Login.ANONYMOUS;
      }
    }
    return new Login(entry.path("username").asText(""), entry.path("password").asText(""));
  }

  private static Key key(String place, Login login) {
    String bare = place.replaceFirst("^https?://", "").replaceFirst("/+$", "");
    int slash = bare.indexOf('/');
    String host = (slash < 0 ? bare : bare.substring(0, slash)).toLowerCase(Locale.ROOT);
    String path = slash < 0 ? "" : bare.substring(slash + 1);
    // names that docker login uses for Docker Hub, and API versions in paths
    if (host.equals("index.docker.io") || host.equals("registry-1.docker.io")) {
      host = ImageReference.DOCKER_HUB;
    }
    return new Key(host, path.matches("v[12]") ? "" : path, login);
  }

  /** Returns the logins to try for an image, or the anonymous one if there are none. */
  List<Login> logins(ImageReference image) {
    List<Login> fitting =
        keys.stream()
            .filter(key -> key.fits(image))
            .sorted(
                Comparator.comparingInt((Key key) -> key.path.length())
                    .thenComparingInt(key -> key.host.startsWith("*") ? 0 : 1)
                    .reversed())
            .map(Key::login)
            .toList();
    return fitting.isEmpty() ? List.of(Login.ANONYMOUS) : fitting;
  }
}
