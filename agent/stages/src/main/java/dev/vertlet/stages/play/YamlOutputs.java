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
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads the YAML that one template yields. Its outputs mostly differ in quoted values alone, such
 * as times, names and addresses: what is left of an output without them is its form, which is
 * parsed once. Parsing each output took a seventh of an agent's CPU time. Confined to one thread.
 */
final class YamlOutputs {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Forms that are kept, those last used: templates have branches and loops. */
  private static final int FORMS = 64;

  /** Characters of a form that is kept at most: all forms of a template take some megabytes. */
  private static final int LONGEST = 1 << 14;

  /** Stands before the number of a value in a form; of Unicode's private use area. */
  private static final char PLACE = '\uE000';

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

  /** Forms, empty for one whose values cannot be told apart. */
  private final Map<String, Optional<JsonNode>> forms = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Reads the first document of an output.
   *
   * @return a tree of the caller's own; null of JSON if there is no document
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException if the text is not YAML
   * @throws IllegalArgumentException if it has values that JSON does not have
   */
  JsonNode read(String text) {
    // an escape could make a place of its own
    if (text.length() > LONGEST || text.indexOf(PLACE) >= 0 || text.indexOf('\\') >= 0) {
      return parse(text);
    }
    List<JsonNode> values = new ArrayList<>();
    String form = form(text, values);
    Optional<JsonNode> parsed = forms.get(form);
    if (parsed == null) {
      parsed = parsed(form, values.size());
      forms.put(form, parsed);
      if (forms.size() > FORMS) {
        forms.remove(forms.keySet().iterator().next());
      }
    }
    return parsed.isPresent() ? filled(parsed.get(), values) : parse(text);
  }

  /** Empty if the form is not YAML, too: the text itself then says why. */
  private static Optional<JsonNode> parsed(String form, int values) {
    try {
      JsonNode tree = parse(form);
      return places(tree, new boolean[values]) == values ? Optional.of(tree) : Optional.empty();
    } catch (YamlEngineException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static JsonNode parse(String text) {
    List<Object> documents = BoundedYaml.read(text.getBytes(UTF_8), new CoreSchema(), true);
    return documents.isEmpty() ? NODES.nullNode() : JSON.valueToTree(documents.get(0));
  }

  /**
   * Puts numbered places for values into a text.
   *
   * @param values receives them
   */
  private static String form(String text, List<JsonNode> values) {
    StringBuilder form = new StringBuilder(text.length());
    int line = 0;
    while (line < text.length()) {
      int newline = text.indexOf('\n', line);
      int end = newline < 0 ? text.length() : newline;
      int from = value(text, line, end);
      if (from >= 0) {
        int to = text.indexOf('"', from);
        form.append(text, line, from).append(PLACE).append(values.size());
        values.add(NODES.textNode(text.substring(from, to)));
        line = to;
      }
      int next = Math.min(end + 1, text.length());
      form.append(text, line, next);
      line = next;
    }
    return form.toString();
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

  /** Counts the places that are values of a tree; too many if one of them is not as it should. */
  private static int places(JsonNode tree, boolean[] found) {
    if (isPlace(tree)) {
      int place = place(tree);
      boolean strange = place >= found.length || found[place];
      if (!strange) {
        found[place] = true;
      }
      return strange ? found.length + 1 : 1;
    }
    int places = 0;
    for (JsonNode child : tree) {
      places += places(child, found);
    }
    return places;
  }

  private static boolean isPlace(JsonNode node) {
    String text = node.textValue();
    return text != null
        && !text.isEmpty()
        && text.charAt(0) == PLACE
        && NUMBER.matcher(text.substring(1)).matches();
  }

  private static int place(JsonNode node) {
    return Integer.parseInt(node.textValue().substring(1));
  }

  private static JsonNode filled(JsonNode form, List<JsonNode> values) {
    if (form instanceof ObjectNode object) {
      ObjectNode filled = NODES.objectNode();
      object.properties().forEach(e -> filled.set(e.getKey(), filled(e.getValue(), values)));
      return filled;
    }
    if (form instanceof ArrayNode array) {
      ArrayNode filled = NODES.arrayNode(array.size());
      array.forEach(element -> filled.add(filled(element, values)));
      return filled;
    }
    return isPlace(form) ? values.get(place(form)) : form;
  }
}
