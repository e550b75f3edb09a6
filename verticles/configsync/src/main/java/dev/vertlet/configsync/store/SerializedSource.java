package dev.vertlet.configsync.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.source.SourceFields;
import dev.vertlet.configsync.source.SourceRules;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.ManifestText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code SerializedNodeConfigSource}: the record of a source in a store. Written byte for byte as
 * kubelets wrote it; read as YAML or JSON. An empty file is the local config.
 */
final class SerializedSource {
  private static final String API_VERSION = "kubelet.config.k8s.io/v1beta1";
  private static final String KIND = "SerializedNodeConfigSource";

  /** A record with the longest names has 1100 bytes. */
  private static final int MAX_BYTES = 4096;

  /** Strings that every YAML reader takes for a string, except for those below. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]*");

  /** Strings that a YAML 1.1 reader may take for a number or a date. */
  private static final Pattern NUMERIC =
      Pattern.compile(
          "[0-9][0-9._]*([eE][-+]?[0-9]+)?|0[xob][0-9a-fA-F_]+|\\d{4}-\\d\\d?-\\d\\d?.*");

  private static final Set<String> WORDS =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private SerializedSource() {}

  /** The content is not a record of a source. */
  static final class CorruptException extends Exception {
    private static final long serialVersionUID = 1;

    CorruptException(String message) {
      super(message);
    }
  }

  /**
   * Encodes a record.
   *
   * @param source null for the local config
   */
  static byte[] encode(@Nullable ResolvedSource source) {
    if (source == null) {
      return new byte[0];
    }
    return """
    apiVersion: %s
    kind: %s
    source:
      configMap:
        kubeletConfigKey: %s
        name: %s
        namespace: %s
        resourceVersion: %s
        uid: %s
    """
        .formatted(
            API_VERSION,
            KIND,
            scalar(source.source().key()),
            scalar(source.source().name()),
            scalar(source.source().namespace()),
            scalar(source.resourceVersion()),
            scalar(source.uid()))
        .getBytes(UTF_8);
  }

  /** Quotes a name if necessary; no name has a character that needs escaping. */
  private static String scalar(String text) {
    boolean plain =
        PLAIN.matcher(text).matches()
            && !NUMERIC.matcher(text).matches()
            && !WORDS.contains(text.toLowerCase(java.util.Locale.ROOT));
    return plain ? text : '"' + text + '"';
  }

  /**
   * Decodes a record.
   *
   * @return empty for the local config
   * @throws CorruptException with the problem, without the content
   */
  static Optional<ResolvedSource> decode(byte[] content) throws CorruptException {
    if (content.length == 0) {
      return Optional.empty();
    }
    JsonNode root = tree(content);
    if (!root.path("apiVersion").asText().equals(API_VERSION)
        || !root.path("kind").asText().equals(KIND)) {
      throw new CorruptException("is no " + KIND + " of " + API_VERSION);
    }
    try {
      SourceFields fields =
          SourceFields.of(root.path("source"), "source")
              .orElseThrow(() -> new CorruptException("source: has no configMap"));
      List<String> broken = SourceRules.resolved(fields, "source");
      if (!broken.isEmpty()) {
        throw new CorruptException(String.join("; ", broken));
      }
      return Optional.of(fields.resolved());
    } catch (SourceFields.TypeException e) {
      throw new CorruptException(String.valueOf(e.getMessage()));
    }
  }

  private static JsonNode tree(byte[] content) throws CorruptException {
    if (content.length > MAX_BYTES) {
      throw new CorruptException("is longer than any record");
    }
    try {
      return ManifestText.object(content);
    } catch (ManifestException e) {
      throw new CorruptException(e.reason());
    }
  }
}
