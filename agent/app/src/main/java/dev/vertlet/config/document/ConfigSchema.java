package dev.vertlet.config.document;

import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates documents against a packaged JSON schema and words the mistakes. */
public final class ConfigSchema {
  private static final String CONFIGURATION = "/vertlet.schema.json";

  /** Keywords whose errors only repeat those of a deeper keyword. */
  private static final Set<String> REPEATING = Set.of("properties", "items", "$ref");

  /** Path of an error inside one of several alternatives; the alternatives as a whole report it. */
  private static final Pattern CHOICE = Pattern.compile("/(oneOf|anyOf)/");

  /** Keys of earlier versions, each with its replacement. */
  private static final Map<String, String> RETIRED =
      Map.of(
          "/server/page/authentication",
          "is no key any more: metrics and page always ask for a token, but on loopback;"
              + " leave it out for \"tokenReview\", set server.open to true for \"none\"");

  private final JsonObject json;
  private final SchemaNode root;

  private ConfigSchema(JsonObject json) {
    this.json = json;
    this.root = SchemaNode.root(json);
  }

  /** Loads the schema of the configuration. */
  public static ConfigSchema load() {
    return load(CONFIGURATION);
  }

  /**
   * Loads a schema.
   *
   * @param resource absolute name on the class path
   */
  public static ConfigSchema load(String resource) {
    try (InputStream in = ConfigSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("no jar has " + resource);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new ConfigSchema(JsonText.object(resource, text));
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + resource + " of the class path", e);
    }
  }

  public SchemaNode root() {
    return root;
  }

  /** Returns the schema of this path; null when the schema knows no such key. */
  public @Nullable SchemaNode at(List<String> path) {
    SchemaNode node = root;
    for (String token : path) {
      node = node.child(token);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  /**
   * Joins again what the division at dots tore apart. Under an object with free keys and plain
   * values, such as the loggers' levels, the rest of the path is one key.
   */
  public List<String> keys(List<String> path) {
    SchemaNode node = root;
    for (int i = 0; i < path.size() && node != null; i++) {
      if (node.isMap()) {
        List<String> whole = new ArrayList<>(path.subList(0, i));
        whole.add(String.join(".", path.subList(i, path.size())));
        return whole;
      }
      node = node.child(path.get(i));
    }
    return path;
  }

  /** Everything in the document that the schema does not allow; at most one problem per value. */
  public List<Problem> problems(JsonObject document) {
    JsonSchemaOptions options =
        new JsonSchemaOptions()
            .setBaseUri("https://vertlet.dev/")
            .setDraft(Draft.DRAFT202012)
            .setOutputFormat(OutputFormat.Basic);
    OutputUnit outcome = Validator.create(JsonSchema.of(json), options).validate(document);
    if (outcome.getValid()) {
      return List.of();
    }
    Map<String, Problem> byPlace = new LinkedHashMap<>();
    for (OutputUnit unit : outcome.getErrors()) {
      Problem problem = word(document, unit);
      if (problem != null) {
        byPlace.putIfAbsent(problem.pointer(), problem);
      }
    }
    return new ArrayList<>(byPlace.values());
  }

  private @Nullable Problem word(JsonObject document, OutputUnit unit) {
    String location = unit.getKeywordLocation();
    String keyword = location.substring(location.lastIndexOf('/') + 1);
    List<String> path = Pointers.tokens(unit.getInstanceLocation().substring(1));
    String pointer = Pointers.of(path);
    SchemaNode node = at(path);
    if (keyword.equals("additionalProperties")) {
      // the validator reports known keys as unknown when their values are invalid
      return node == null ? unknown(path) : null;
    }
    if (REPEATING.contains(keyword) || node == null || CHOICE.matcher(location).find()) {
      return null;
    }
    Object value = Pointers.find(document, path);
    if (keyword.equals("required")) {
      String key = unit.getError().replaceAll("(?s).*\"(.*)\".*", "$1");
      return Problem.about(pointer + "/" + key, "is missing; must be " + required(node, key));
    }
    if (keyword.equals("minItems")) {
      return Problem.of(pointer, List.of(), "must have at least one item");
    }
    return value == null
        ? Problem.about(
            pointer, "null must be " + node.allowed() + "; leave the key out for its default")
        : Problem.of(pointer, value, "must be " + node.allowed());
  }

  private static String required(SchemaNode node, String key) {
    SchemaNode child = node.child(key);
    return child == null ? "given" : child.allowed();
  }

  private Problem unknown(List<String> path) {
    String retired = RETIRED.get(Pointers.of(path));
    if (retired != null) {
      return Problem.about(Pointers.of(path), retired);
    }
    String key = path.get(path.size() - 1);
    SchemaNode parent = at(path.subList(0, path.size() - 1));
    Set<String> known = parent == null ? Set.of() : parent.keys();
    return Problem.about(Pointers.of(path), "unknown key; " + Suggestions.suggest(key, known));
  }
}
