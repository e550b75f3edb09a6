package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads one object from YAML 1.2, of which JSON is a part. */
public final class ManifestText {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A pod has some ten levels; whoever writes what is read here as JSON has a limit of 1000. */
  private static final int MOST_LEVELS = 200;

  /**
   * As JSON readers have it: what a number of so many digits is worth takes the square of their
   * number of steps to find out, minutes for what fits into a manifest.
   */
  private static final int MOST_DIGITS = 1000;

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
      JsonNode tree = JSON.valueToTree(document);
      if (isDeeper(tree, MOST_LEVELS)) {
        throw new ManifestException("is nested too deeply");
      }
      return tree;
    } catch (IllegalArgumentException e) {
      throw new ManifestException("is neither YAML nor JSON: what it holds cannot be JSON");
    }
  }

  private static boolean isDeeper(JsonNode node, int levels) {
    if (levels == 0) {
      return node.isContainerNode();
    }
    for (JsonNode child : node) {
      if (isDeeper(child, levels - 1)) {
        return true;
      }
    }
    return false;
  }

  private static Iterable<Object> load(byte[] text, boolean equalKeys) {
    LoadSettings settings =
        LoadSettings.builder()
            .setSchema(new ShortNumbers())
            .setAllowDuplicateKeys(equalKeys)
            .setCodePointLimit(Manifests.MAX_BYTES)
            .build();
    return new Load(settings).loadAllFromInputStream(new ByteArrayInputStream(text));
  }

  /** YAML's own, but for numbers that nobody means. */
  private static final class ShortNumbers extends CoreSchema {
    @Override
    public Map<Tag, ConstructNode> getSchemaTagConstructors() {
      Map<Tag, ConstructNode> all = new HashMap<>(super.getSchemaTagConstructors());
      for (Tag number : List.of(Tag.INT, Tag.FLOAT)) {
        all.computeIfPresent(number, (tag, read) -> node -> read.construct(checked(node)));
      }
      return all;
    }

    private static Node checked(Node node) {
      if (node instanceof ScalarNode scalar && scalar.getValue().length() > MOST_DIGITS) {
        throw new YamlEngineException("a number has more than %d digits".formatted(MOST_DIGITS));
      }
      return node;
    }
  }

  private static String oneLine(@org.jspecify.annotations.Nullable String text) {
    return String.valueOf(text).strip().replaceAll("\\s+", " ");
  }
}
