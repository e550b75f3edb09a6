package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads one object from YAML 1.2, of which JSON is a part. */
public final class ManifestText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ManifestText() {}

  /**
   * A key that stands twice in one object is a mistake.
   *
   * @throws ManifestException when it is no single object
   */
  public static ObjectNode object(byte[] text) throws ManifestException {
    return object(text, false);
  }

  /**
   * @param equalKeys whether a key may stand twice in one object; the last one then counts
   * @throws ManifestException when it is no single object
   */
  public static ObjectNode object(byte[] text, boolean equalKeys) throws ManifestException {
    try {
      return only(text, equalKeys);
    } catch (StackOverflowError e) {
      // neither reader has a limit of its own, and an alias may hold itself
      throw new ManifestException("is nested too deeply");
    }
  }

  private static ObjectNode only(byte[] text, boolean equalKeys) throws ManifestException {
    List<Object> documents = new ArrayList<>();
    try {
      for (Object document : load(text, equalKeys)) {
        if (document != null) {
          documents.add(document);
        }
      }
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(at -> " at line " + (at.getLine() + 1)).orElse("");
      throw new ManifestException(
          "is neither YAML nor JSON" + line + ": " + oneLine(e.getProblem()));
    } catch (YamlEngineException e) {
      throw new ManifestException("is neither YAML nor JSON: " + oneLine(e.getMessage()));
    }
    if (documents.isEmpty()) {
      throw new ManifestException("is empty");
    }
    if (documents.size() > 1) {
      throw new ManifestException(
          "holds " + documents.size() + " documents; a manifest holds one object");
    }
    if (tree(documents.get(0)) instanceof ObjectNode object) {
      return object;
    }
    throw new ManifestException("holds no object");
  }

  /** YAML knows keys and loops that JSON does not. */
  private static JsonNode tree(Object document) throws ManifestException {
    try {
      return JSON.valueToTree(document);
    } catch (IllegalArgumentException e) {
      throw new ManifestException("is neither YAML nor JSON: what it holds cannot be JSON");
    }
  }

  private static Iterable<Object> load(byte[] text, boolean equalKeys) {
    LoadSettings settings =
        LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setAllowDuplicateKeys(equalKeys)
            .setCodePointLimit(Manifests.MAX_BYTES)
            .build();
    return new Load(settings).loadAllFromInputStream(new ByteArrayInputStream(text));
  }

  private static String oneLine(@org.jspecify.annotations.Nullable String text) {
    return String.valueOf(text).strip().replaceAll("\\s+", " ");
  }
}
