package dev.vertlet.stages.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.function.KwokFunctions;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares with what Go wrote for the same templates. {@code golden/*.txt} has the templates,
 * {@code golden/*.json} Go's answers, {@code golden/golden.go} the program that gives them.
 */
class GoldenTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Functions FUNCTIONS = KwokFunctions.all(Clock.systemUTC(), "0.8.0");

  @TestFactory
  Stream<DynamicTest> rendersWhatGoRenders() throws IOException {
    return Stream.concat(cases("templates"), cases("sprig"));
  }

  private Stream<DynamicTest> cases(String set) throws IOException {
    JsonNode data = read("data.json");
    JsonNode recorded = read(set + ".json");
    List<String> templates = templates(set);
    assertThat(recorded).as("answers of Go for golden/%s.txt", set).hasSameSizeAs(templates);
    return IntStream.range(0, templates.size())
        .mapToObj(
            i ->
                DynamicTest.dynamicTest(
                    set + ": " + templates.get(i),
                    () -> check(templates.get(i), recorded.get(i), data)));
  }

  private static void check(String template, JsonNode recorded, JsonNode data) {
    assertThat(recorded.get("template").textValue()).isEqualTo(template);
    String answer;
    try {
      answer = Templates.parse("_", template, FUNCTIONS).render(data);
    } catch (TemplateException e) {
      answer = "error: " + e.getMessage();
    }
    JsonNode output = recorded.get("output");
    assertThat(answer)
        .isEqualTo(
            output == null ? "error: " + recorded.get("error").textValue() : output.textValue());
  }

  /** Needs go and, unless its cache has them, the modules that golden/go.mod names. */
  @ParameterizedTest
  @ValueSource(strings = {"templates", "sprig"})
  void recordedAnswersAreThoseOfGo(String set, @TempDir Path directory) throws Exception {
    assumeTrue(hasGo(), "go is not installed");
    for (String file : List.of("go.mod", "go.sum", "golden.go")) {
      try (InputStream in = resource(file)) {
        Files.copy(in, directory.resolve(file));
      }
    }
    ArrayNode input = MAPPER.createArrayNode();
    JsonNode data = read("data.json");
    for (String template : templates(set)) {
      input.addObject().put("template", template).set("data", data);
    }
    Path in = directory.resolve("in.json");
    Path out = directory.resolve("out.json");
    Files.writeString(in, MAPPER.writeValueAsString(input));
    ProcessBuilder go = new ProcessBuilder("go", "run", ".");
    go.environment().put("TZ", "UTC");
    Process process =
        go.directory(directory.toFile())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(directory.resolve("err").toFile())
            .start();
    // it compiles, the first time
    int exit = Waits.exit(process, Waits.LONG.multipliedBy(5));
    String err = Files.readString(directory.resolve("err")); // of a success what it downloaded
    assumeTrue(
        exit == 0 || !err.contains("dial"),
        "the modules are not in the cache, and the proxy does not answer");
    assertThat(exit).as(err).isZero();
    JsonNode answers = MAPPER.readTree(out.toFile());
    answers.forEach(
        answer -> ((com.fasterxml.jackson.databind.node.ObjectNode) answer).remove("data"));
    assertThat(answers).isEqualTo(read(set + ".json"));
  }

  private static boolean hasGo() {
    return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "go")));
  }

  private static List<String> templates(String set) throws IOException {
    try (InputStream in = resource(set + ".txt")) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.replace('⏎', '\n'))
          .toList();
    }
  }

  private static JsonNode read(String name) throws IOException {
    try (InputStream in = resource(name)) {
      return MAPPER.readTree(in);
    }
  }

  private static InputStream resource(String name) {
    InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name);
    if (in == null) {
      throw new IllegalStateException("no resource " + name);
    }
    return in;
  }
}
