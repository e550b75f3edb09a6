package dev.vertlet.stages.play;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.yaml.BoundedYaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

class YamlOutputsTest {
  /** Lines of which most random mixtures are YAML. */
  private static final String[] LINES = {
    "a: \"%s\"\n",
    "b:\n",
    "  c: \"%s\"   \n",
    "  - d: \"%s\"\n",
    "    e: %s\n",
    "- \"%s\"\n",
    "f: |\n",
    "  - \"%s\"\n",
    "g: &g \"%s\"\n",
    "h: *g\n",
    "i: {j: \"%s\"}\n",
    "# k: \"%s\"\n",
    "l: >-\n",
    "\n",
    "m: \"%s\" # comment\n",
    "n.o/p-q_r: \"%s\"\r\n",
    "s: \"%s\n",
    "---\n"
  };

  private static final String[] VALUES = {
    "",
    "x",
    "10.0.0.1",
    "2026-01-02T03:04:05Z",
    "null",
    "5",
    "a: b",
    "# no",
    "é",
    "\\n",
    "\\uE0000",
    "\uE0000",
    "\"",
    "'",
    "{",
    "- "
  };

  private final YamlOutputs outputs = new YamlOutputs();

  private static JsonNode parsed(String text) {
    List<Object> documents = BoundedYaml.read(text.getBytes(UTF_8), new CoreSchema(), true);
    return new ObjectMapper().valueToTree(documents.isEmpty() ? null : documents.get(0));
  }

  @Test
  void yieldsWhatAParserYieldsHoweverOften() {
    int read = 0;
    for (int seed = 0; seed < Seeds.count(3_000, 100_000); seed++) {
      Random random = Seeds.random(seed);
      String form = "";
      for (int i = random.nextInt(6); i >= 0; i--) {
        form += LINES[random.nextInt(LINES.length)];
      }
      for (int i = 0; i < 3; i++) {
        String text = form;
        while (text.contains("%s")) {
          text = text.replaceFirst("%s", value(random));
        }
        if (same(text, seed)) {
          read++;
        }
      }
    }
    assertThat(read).as("texts that are YAML").isGreaterThan(Seeds.count(1_000, 30_000));
  }

  private static String value(Random random) {
    return VALUES[random.nextInt(VALUES.length)].replace("\\", "\\\\");
  }

  /** Whether the text is YAML; a text that is not is refused by both. */
  private boolean same(String text, int seed) {
    JsonNode wanted;
    try {
      wanted = parsed(text);
    } catch (YamlEngineException e) {
      assertThatThrownBy(() -> outputs.read(text))
          .as("seed %d: %s", seed, text)
          .hasMessage(e.getMessage());
      return false;
    }
    assertThat(outputs.read(text)).as("seed %d: %s", seed, text).isEqualTo(wanted);
    return true;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\n", "null", "a: \"b\"", "a: |\n  \"b\"", "a: |\n  - \"b\"\nc: \"d\""})
  void readsTextsAsTheyEnd(String text) {
    assertThat(outputs.read(text)).isEqualTo(parsed(text));
    assertThat(outputs.read(text)).isEqualTo(parsed(text));
  }

  @Test
  void readsLongTexts() {
    String text = "- \"%s\"\n".formatted("x".repeat(100)).repeat(1_000);
    assertThat(outputs.read(text)).isEqualTo(parsed(text));
  }

  @Test
  void parsesOutputsThatDifferInQuotedValuesOnce() {
    List<String> parsed = new ArrayList<>();
    YamlOutputs counted = new YamlOutputs(counting(parsed));
    for (int i = 0; i < 100; i++) {
      String output = "a: \"%d\"\nb:\n- c: \"x%d\"\n".formatted(i, i);
      assertThat(counted.read(output)).isEqualTo(parsed(output));
    }
    assertThat(parsed).hasSize(1);
  }

  @Test
  void keepsTheSkeletonsThatWereUsedLast() {
    List<String> parsed = new ArrayList<>();
    YamlOutputs counted = new YamlOutputs(counting(parsed));
    counted.read("first: 1\n");
    counted.read("first: 1\n");
    for (int i = 0; i < 64; i++) {
      counted.read("a%d: 1\n".formatted(i));
    }
    parsed.clear();
    counted.read("a63: 1\n");
    assertThat(parsed).isEmpty();
    counted.read("first: 1\n");
    assertThat(parsed).hasSize(1);
  }

  @Test
  void keepsNothingOfATemplateWhoseOutputsAllDiffer() {
    List<String> parsed = new ArrayList<>();
    YamlOutputs counted = new YamlOutputs(counting(parsed));
    for (int i = 0; i < 100; i++) {
      counted.read("a: %d\nb: |\n  - \"x\"\n".formatted(i));
    }
    parsed.clear();
    counted.read("a: 99\nb: |\n  - \"x\"\n");
    assertThat(parsed).containsExactly("a: 99\nb: |\n  - \"x\"\n");
  }

  private static Function<String, JsonNode> counting(List<String> parsed) {
    return text -> {
      parsed.add(text);
      return parsed(text);
    };
  }

  @Test
  void whatACallerChangesIsItsOwn() {
    ((ObjectNode) outputs.read("a: \"b\"\nc: {}\n")).put("e", 1).withObject("/c").put("d", 1);
    assertThat(outputs.read("a: \"f\"\nc: {}\n")).hasToString("{\"a\":\"f\",\"c\":{}}");
  }
}
