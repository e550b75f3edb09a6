package dev.vertlet.configsync.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Fields of a {@code ConfigMapNodeConfigSource} as read; missing ones are empty. */
public record SourceFields(
    String namespace, String name, String key, String uid, String resourceVersion) {
  /** A field has a type other than the API's. */
  public static final class TypeException extends Exception {
    private static final long serialVersionUID = 1;

    TypeException(String message) {
      super(message);
    }
  }

  /**
   * Reads the {@code configMap} of a {@code NodeConfigSource}; empty if it is missing. Ignores
   * other fields.
   *
   * @param path of the source, for the message
   * @throws TypeException when the value is not a source
   */
  public static Optional<SourceFields> of(JsonNode source, String path) throws TypeException {
    JsonNode configMap = object(source, path).path("configMap");
    if (configMap.isMissingNode() || configMap.isNull()) {
      return Optional.empty();
    }
    String at = path + ".configMap";
    ObjectNode fields = object(configMap, at);
    return Optional.of(
        new SourceFields(
            text(fields, "namespace", at),
            text(fields, "name", at),
            text(fields, "kubeletConfigKey", at),
            text(fields, "uid", at),
            text(fields, "resourceVersion", at)));
  }

  private static ObjectNode object(JsonNode node, String path) throws TypeException {
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new TypeException(path + ": must be an object");
  }

  private static String text(ObjectNode fields, String name, String at) throws TypeException {
    JsonNode field = fields.path(name);
    if (field.isMissingNode() || field.isNull()) {
      return "";
    }
    if (!field.isTextual()) {
      throw new TypeException(at + "." + name + ": must be a string");
    }
    return field.textValue();
  }

  ConfigMapSource source() {
    return new ConfigMapSource(namespace, name, key);
  }

  /**
   * Returns the source with its version.
   *
   * @throws IllegalArgumentException when {@link SourceRules#resolved} finds a problem
   */
  public ResolvedSource resolved() {
    return source().at(uid, resourceVersion);
  }
}
