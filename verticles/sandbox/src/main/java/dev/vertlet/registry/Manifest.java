package dev.vertlet.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A manifest or index of a registry. Pure.
 *
 * @param config digest of the configuration; empty for an index
 * @param children digests of the manifests in an index
 */
record Manifest(String config, List<String> children) {
  /** Accepted media types: indexes and manifests. */
  static final String ACCEPT =
      "application/vnd.oci.image.index.v1+json,"
          + "application/vnd.docker.distribution.manifest.list.v2+json,"
          + "application/vnd.oci.image.manifest.v1+json,"
          + "application/vnd.docker.distribution.manifest.v2+json";

  /** Registries reject larger manifests, too. */
  static final int MAX_BYTES = 4 << 20;

  /** Maximum number of platforms of an image; further ones are ignored. */
  private static final int MAX_CHILDREN = 16;

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Parses a manifest.
   *
   * @throws IllegalArgumentException when the body is not JSON
   */
  static Manifest parse(Buffer body) {
    JsonNode json;
    try {
      json = JSON.readTree(body.getBytes());
    } catch (IOException e) {
      throw new IllegalArgumentException("the manifest is no JSON", e);
    }
    List<String> children = new ArrayList<>();
    for (JsonNode child : json.path("manifests")) {
      // attestations are listed beside their images
      boolean image = !child.path("platform").path("architecture").asText("").equals("unknown");
      String digest = child.path("digest").asText("");
      if (image && !digest.isEmpty() && children.size() < MAX_CHILDREN) {
        children.add(digest);
      }
    }
    return new Manifest(json.path("config").path("digest").asText(""), children);
  }

  /** Computes the digest, for a registry that does not send it. */
  static String digest(Buffer body) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return "sha256:" + HexFormat.of().formatHex(sha.digest(body.getBytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
