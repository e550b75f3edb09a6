package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.yaml.BoundedYaml;
import dev.vertlet.yaml.YamlLimitException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads one object from YAML 1.2, of which JSON is a part, within {@link BoundedYaml}'s limits. */
public final class ManifestText {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The limit of JSON readers: parsing a number takes time with the square of its digits, minutes
   * for one that fits into a manifest.
   */
  private static final int MOST_DIGITS = 1000;

  private ManifestText() {}

  /**
   * Reads an object; a duplicate key is an error.
   *
   * @throws ManifestException when the text is not a single object
   */
  public static ObjectNode object(byte[] text) throws ManifestException {
    return object(text, false);
  }

  /**
   * Reads an object.
   *
   * @param equalKeys whether one object may contain a key twice; the last one then counts
   * @throws ManifestException when the text is not a single object
   */
  public static ObjectNode object(byte[] text, boolean equalKeys) throws ManifestException {
    List<Object> documents = documents(text, equalKeys);
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

  private static List<Object> documents(byte[] text, boolean equalKeys) throws ManifestException {
    try {
      return BoundedYaml.read(text, new ShortNumbers(), equalKeys);
    } catch (YamlLimitException e) {
      throw new ManifestException(oneLine(e.getMessage()));
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(at -> " at line " + (at.getLine() + 1)).orElse("");
      throw new ManifestException(
          "is neither YAML nor JSON" + line + ": " + oneLine(e.getProblem()));
    } catch (YamlEngineException e) {
      throw new ManifestException("is neither YAML nor JSON: " + oneLine(e.getMessage()));
    }
  }

  /** Converts a document to JSON; YAML allows keys that JSON does not. */
  private static JsonNode tree(Object document) throws ManifestException {
    try {
      return JSON.valueToTree(document);
    } catch (IllegalArgumentException e) {
      throw new ManifestException("is neither YAML nor JSON: its content has no JSON form");
    }
  }

  /** YAML's core schema with a limit for the length of numbers. */
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
