package dev.vertlet.stages.play;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.stages.expression.StageDelay;
import dev.vertlet.stages.spec.ResourceRef;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.StageFiles;
import dev.vertlet.stages.spec.Step.PatchType;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.function.KwokFunctions;
import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.yaml.BoundedYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** KWOK's own stages with its own inputs and expected outputs, read from its Go module. */
class KwokGoldenTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant NOW = Instant.parse("2006-01-02T15:04:05Z");

  @TempDir Path scratch;

  @TestFactory
  List<DynamicTest> rendersAsKwokDoes() throws Exception {
    Path stages = KwokModule.directory(scratch).resolve("kustomize/stage");
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> files = Files.walk(stages)) {
      files
          .filter(file -> file.toString().endsWith(".input.yaml"))
          .sorted()
          .forEach(
              input ->
                  tests.add(
                      DynamicTest.dynamicTest(
                          stages.relativize(input).toString(), () -> compare(input))));
    }
    assertThat(tests).as("inputs of KWOK 0.8.0").hasSizeGreaterThanOrEqualTo(14);
    return tests;
  }

  private static void compare(Path input) throws IOException {
    Path output = Path.of(input.toString().replace(".input.yaml", ".output.yaml"));
    assertThat(played(input)).isEqualTo(yaml(output));
  }

  private static JsonNode played(Path input) throws IOException {
    StageObject object = StageObject.of(yaml(input));
    ResourceRef kind =
        new ResourceRef(
            object.json().path("apiVersion").asText(), object.json().path("kind").asText());
    List<Path> files;
    try (Stream<Path> all = Files.list(input.resolve("../..").normalize())) {
      files =
          all.filter(file -> file.toString().endsWith(".yaml"))
              .filter(file -> !file.endsWith("kustomization.yaml"))
              .sorted()
              .toList();
    }
    List<Stage> stages =
        StageFiles.load(files).stages().stream()
            .filter(stage -> stage.resource().equals(kind))
            .toList();
    // KWOK's test loads pods and nodes like any other kind, whose patches are merged by default
    StageCompiler compiler =
        new StageCompiler(
            Clock.fixed(NOW, ZoneOffset.UTC),
            new SplittableRandom(1),
            functions(),
            any -> PatchType.MERGE);
    ObjectNode result = JSON.createObjectNode();
    result.put("apiGroup", kind.apiGroup()).put("kind", kind.kind()).put("name", object.name());
    if (!object.namespace().isEmpty()) {
      result.put("namespace", object.namespace());
    }
    ArrayNode list = result.putArray("stages");
    Objects.requireNonNull(compiler.compile(stages).get(kind), kind.toString())
        .candidates(object)
        .forEach(candidate -> list.add(described(candidate.stage(), object)));
    // through text, as the expected output has been
    return JSON.readTree(JSON.writeValueAsBytes(result));
  }

  private static ObjectNode described(CompiledStage stage, StageObject object) {
    ObjectNode json = JSON.createObjectNode().put("stage", stage.name());
    stage.delay(object, NOW).ifPresent(range -> delay(json.putArray("delay"), range));
    stage.weight(object).ifPresent(weight -> json.put("weight", weight));
    ArrayNode next = json.putArray("next");
    for (Write write : stage.writes(object)) {
      ObjectNode element = next.addObject();
      if (write instanceof Write.Event event) {
        element.put("kind", "event").put("type", event.type());
        element.put("reason", event.reason()).put("message", event.message());
      } else if (write instanceof Write.Delete) {
        element.put("kind", "delete");
      } else if (write instanceof Write.Patch patch) {
        element.put("kind", "patch");
        described(element, patch.type(), patch.subresource(), patch.body());
      } else if (write instanceof Write.Apply apply) {
        element.put("kind", "apply");
        described(element, apply.type(), apply.subresource(), apply.body());
      }
    }
    if (stage.stage().immediateNextStage()) {
      next.addObject().put("kind", "immediate");
    }
    return json;
  }

  private static void described(
      ObjectNode element, PatchType type, String subresource, JsonNode body) {
    element.put("type", type.mediaType());
    if (!subresource.isEmpty()) {
      element.put("subresource", subresource);
    }
    element.set("data", body);
  }

  private static void delay(ArrayNode list, StageDelay.Range range) {
    list.add(range.min().toNanos());
    if (!range.max().equals(range.min())) {
      list.add(range.max().toNanos());
    }
  }

  /** The functions that KWOK's test replaces by their names and arguments. */
  private static Functions functions() {
    Functions all = KwokFunctions.all(Clock.systemUTC(), "v0.0.0");
    for (String name :
        List.of(
            "NodeIP",
            "NodeName",
            "NodePort",
            "PodIP",
            "NodeIPWith",
            "PodIPWith",
            "Now",
            "now",
            "Version")) {
      all = all.with(name, "...any", arguments -> "<" + call(name, arguments) + ">");
    }
    for (String name : List.of("NodeIPsWith", "PodIPsWith")) {
      all =
          all.with(
              name,
              "...any",
              arguments ->
                  new ArrayList<>(
                      List.of(
                          "<0 of " + call(name, arguments) + ">",
                          "<1 of " + call(name, arguments) + ">")));
    }
    return all;
  }

  private static String call(String name, Arguments arguments) {
    return arguments.size() == 0
        ? name
        : arguments.from(0).stream()
            .map(value -> value instanceof String text ? "\"" + text + "\"" : "" + value)
            .collect(Collectors.joining(", ", name + "(", ")"));
  }

  private static JsonNode yaml(Path file) throws IOException {
    byte[] text = Files.readString(file).getBytes(UTF_8);
    JsonNode tree = JSON.valueToTree(BoundedYaml.read(text, new CoreSchema(), false).get(0));
    return JSON.readTree(JSON.writeValueAsBytes(tree));
  }
}
