package dev.vertlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Values of the chart: those that have a default, that may be given, and that are read. */
class ChartValuesTest {
  private static final Path CHART = Path.of("..", "..", "k8s", "chart");
  private static final Pattern READ = Pattern.compile("\\.Values((?:\\.\\w+)+)");

  private static JsonNode read(String file) throws IOException {
    return Serialization.unmarshal(Files.readString(CHART.resolve(file)), JsonNode.class);
  }

  /** Leaves of the schema: what has properties is no value itself. */
  private static Set<String> allowed(JsonNode schema) {
    Set<String> all = new TreeSet<>();
    for (Map.Entry<String, JsonNode> each : schema.path("properties").properties()) {
      if (each.getValue().has("properties")) {
        allowed(each.getValue()).forEach(name -> all.add(each.getKey() + "." + name));
      } else {
        all.add(each.getKey());
      }
    }
    return all;
  }

  /** Values of the file, as deep as the schema goes. */
  private static Set<String> given(JsonNode values, JsonNode schema) {
    Set<String> all = new TreeSet<>();
    for (Map.Entry<String, JsonNode> each : values.properties()) {
      JsonNode below = schema.path("properties").path(each.getKey());
      if (below.has("properties")) {
        given(each.getValue(), below).forEach(name -> all.add(each.getKey() + "." + name));
      } else {
        all.add(each.getKey());
      }
    }
    return all;
  }

  @Test
  void valuesAreThoseOfTheSchema() throws IOException {
    JsonNode schema = read("values.schema.json");
    Set<String> allowed = allowed(schema);
    allowed.remove("global"); // Helm's own

    assertThat(given(read("values.yaml"), schema)).isNotEmpty().isEqualTo(allowed);
  }

  @Test
  void valuesAreRead() throws IOException {
    Set<String> allowed = allowed(read("values.schema.json"));
    allowed.remove("global");
    Set<String> read;
    try (Stream<Path> files = Files.walk(CHART.resolve("templates"))) {
      List<Path> templates = files.filter(Files::isRegularFile).toList();
      read =
          templates.stream()
              .flatMap(ChartValuesTest::references)
              .collect(Collectors.toCollection(TreeSet::new));
    }

    // with reads a whole object, from which a template takes what it needs
    assertThat(allowed)
        .allSatisfy(
            name ->
                assertThat(read)
                    .anyMatch(path -> path.equals(name) || name.startsWith(path + ".")));
    assertThat(read)
        .allSatisfy(
            path ->
                assertThat(allowed)
                    .anyMatch(
                        name ->
                            path.equals(name)
                                || name.startsWith(path + ".")
                                || path.startsWith(name + ".")));
  }

  private static Stream<String> references(Path template) {
    try {
      return READ.matcher(Files.readString(template))
          .results()
          .map(found -> found.group(1).substring(1));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
