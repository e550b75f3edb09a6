package dev.vertlet.harness.it;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Configuration and manifest of an image.
 *
 * @param config the blob that the manifest names as its configuration
 */
record OciImage(JsonObject config, JsonObject manifest) {
  /** Returns an image of the same layers that no runtime has yet. */
  OciImage by(String author) {
    JsonObject changed = config.copy().put("author", author);
    JsonObject descriptor =
        manifest
            .getJsonObject("config")
            .copy()
            .put("digest", digest(bytes(changed)))
            .put("size", bytes(changed).length);
    return new OciImage(changed, manifest.copy().put("config", descriptor));
  }

  /** Returns the type of the manifest, which a registry has to name. */
  String mediaType() {
    return manifest.getString("mediaType", "application/vnd.oci.image.manifest.v1+json");
  }

  /** Returns the digest by which a pod may ask for the image. */
  String digest() {
    return digest(bytes(manifest));
  }

  static byte[] bytes(JsonObject blob) {
    return blob.encode().getBytes(StandardCharsets.UTF_8);
  }

  static String digest(byte[] blob) {
    try {
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(blob));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
