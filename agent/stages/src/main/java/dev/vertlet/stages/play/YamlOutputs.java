package dev.vertlet.stages.play;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.yaml.BoundedYaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads the YAML that one template yields. Its outputs mostly differ in quoted values alone, such
 * as times, names and addresses: with placeholders for them they are one skeleton, which is parsed
 * once. Parsing each output took a seventh of an agent's CPU time. Confined to one thread.
 */
final class YamlOutputs {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Skeletons that are kept, those last used: templates have branches and loops. */
  private static final int SKELETONS = 64;

  /** Characters of an output from which on no skeleton is made of it. */
  private static final int LONG = 1 << 14;

  /** Begins a placeholder, its number follows; of Unicode's private use area. */
  private static final char PLACEHOLDER = '\uE000';

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

  private final Function<String, JsonNode> parser;

  /** By text; empty for one that is not YAML, or whose placeholders are not values of it. */
  private final Map<String, Optional<JsonNode>> skeletons = new LinkedHashMap<>(16, 0.75f, true);

  /** Outputs in a row of which each had a skeleton of its own. */
  private int misses;

  YamlOutputs() {
    this(YamlOutputs::parse);
  }

  /** For tests that count what is parsed. */
  YamlOutputs(Function<String, JsonNode> parser) {
    this.parser = parser;
  }

  /**
   * Reads the first document of an output.
   *
   * @return a tree of the caller's own; null of JSON if there is no document
   * @throws YamlEngineException if the text is not YAML
   * @throws IllegalArgumentException if it has values that JSON does not have
   */
  JsonNode read(String text) {
    boolean ambiguous = text.indexOf(PLACEHOLDER) >= 0 || text.indexOf('\\') >= 0;
    // values that are not quoted make each output another skeleton
    if (text.length() >= LONG || ambiguous || misses > SKELETONS) {
      return parser.apply(text);
    }
    List<JsonNode> values = new ArrayList<>();
    String skeleton = skeleton(text, values);
    Optional<JsonNode> parsed = skeletons.get(skeleton);
    misses = parsed == null ? misses + 1 : 0;
    if (parsed == null) {
      parsed = parsed(skeleton, values.size());
      skeletons.put(skeleton, parsed);
      if (misses > SKELETONS) {
        skeletons.clear();
      } else if (skeletons.size() > SKELETONS) {
        skeletons.remove(skeletons.keySet().iterator().next());
      }
    }
    return parsed.isPresent() ? filled(parsed.get(), values) : parser.apply(text);
  }

  /** Empty for a skeleton that is not YAML, too: the output itself then says why. */
  private Optional<JsonNode> parsed(String skeleton, int values) {
    try {
      JsonNode tree = parser.apply(skeleton);
      boolean usable = placeholders(tree, new boolean[values]) == values;
      return usable ? Optional.of(tree) : Optional.empty();
    } catch (YamlEngineException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static JsonNode parse(String text) {
    List<Object> documents = BoundedYaml.read(text.getBytes(UTF_8), new CoreSchema(), true);
    return documents.isEmpty() ? NODES.nullNode() : JSON.valueToTree(documents.get(0));
  }

  /**
   * Puts numbered placeholders for values into a text.
   *
   * @param values receives the values
   */
  private static String skeleton(String text, List<JsonNode> values) {
    StringBuilder skeleton = new StringBuilder(text.length());
    int line = 0;
    while (line < text.length()) {
      int newline = text.indexOf('\n', line);
      int end = newline < 0 ? text.length() : newline;
      int from = value(text, line, end);
      if (from >= 0) {
        int to = text.indexOf('"', from);
        skeleton.append(text, line, from).append(PLACEHOLDER).append(values.size());
        values.add(NODES.textNode(text.substring(from, to)));
        line = to;
      }
      int next = Math.min(end + 1, text.length());
      skeleton.append(text, line, next);
      line = next;
    }
    return skeleton.toString();
  }

  /**
   * Returns where a quoted value begins that is all of a line behind {@code - } or {@code key: };
   * -1 for other lines.
   */
  private static int value(String text, int line, int end) {
    int quote = line;
    while (quote < end && plain(text.charAt(quote))) {
      quote++;
    }
    boolean begins =
        quote >= line + 2
            && quote < end
            && text.charAt(quote) == '"'
            && text.charAt(quote - 1) == ' '
            && (text.charAt(quote - 2) == ':' || text.charAt(quote - 2) == '-');
    int last = quote + 1;
    while (begins && last < end && text.charAt(last) != '"') {
      char c = text.charAt(last++);
      begins = c >= ' ' && c < 0x7f;
    }
    int rest = last + 1;
    while (rest < end && text.charAt(rest) == ' ') {
      rest++;
    }
    return begins && last < end && rest == end ? quote + 1 : -1;
  }

  private static boolean plain(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || " -:_./".indexOf(c) >= 0;
  }

  /** Counts placeholders; returns more than there are values if one is unknown or stands twice. */
  private static int placeholders(JsonNode tree, boolean[] found) {
    if (isPlaceholder(tree)) {
      int number = number(tree);
      boolean strange = number >= found.length || found[number];
      if (!strange) {
        found[number] = true;
      }
      return strange ? found.length + 1 : 1;
    }
    int placeholders = 0;
    for (JsonNode child : tree) {
      placeholders += placeholders(child, found);
    }
    return placeholders;
  }

  private static boolean isPlaceholder(JsonNode node) {
    String text = node.textValue();
    return text != null
        && !text.isEmpty()
        && text.charAt(0) == PLACEHOLDER
        && NUMBER.matcher(text.substring(1)).matches();
  }

  private static int number(JsonNode placeholder) {
    return Integer.parseInt(placeholder.textValue().substring(1));
  }

  private static JsonNode filled(JsonNode skeleton, List<JsonNode> values) {
    if (skeleton instanceof ObjectNode object) {
      ObjectNode filled = NODES.objectNode();
      object.properties().forEach(e -> filled.set(e.getKey(), filled(e.getValue(), values)));
      return filled;
    }
    if (skeleton instanceof ArrayNode array) {
      ArrayNode filled = NODES.arrayNode(array.size());
      array.forEach(element -> filled.add(filled(element, values)));
      return filled;
    }
    return isPlaceholder(skeleton) ? values.get(number(skeleton)) : skeleton;
  }
}
