package dev.vertlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.vertlet.meter.Metric;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of docs/metrics.md are those of the code; the words around them are not. */
class MetricsDocTest {
  private static final Path FILE = Path.of("..", "..", "docs", "metrics.md");

  /** Stands before the table of the metrics that these classes have, if there is one already. */
  private static final Pattern TABLE = Pattern.compile("<!-- metrics of ([\\w ]+) -->\n(\\|.*\n)*");

  private final Map<String, List<Metric>> metrics = metrics();

  @Test
  void theTablesSayWhatTheCodeSays() throws Exception {
    String document = Files.readString(FILE);
    String written =
        TABLE
            .matcher(document)
            .replaceAll(
                table ->
                    Matcher.quoteReplacement(
                        "<!-- metrics of " + table.group(1) + " -->\n" + table(table.group(1))));
    if (Boolean.getBoolean("vertlet.docs.write")) {
      Files.writeString(FILE, written);
    }

    assertThat(FILE)
        .as("write it anew with -Dvertlet.docs.write=true; CONTRIBUTING.md says how")
        .hasContent(written);
  }

  @Test
  void everyClassThatMeasuresHasItsTable() throws Exception {
    List<String> told = new ArrayList<>();
    Matcher tables = TABLE.matcher(Files.readString(FILE));
    while (tables.find()) {
      told.addAll(List.of(tables.group(1).split(" ")));
    }

    assertThat(told).containsExactlyInAnyOrderElementsOf(metrics.keySet());
    assertThat(metrics.values().stream().flatMap(List::stream).map(Metric::name))
        .doesNotHaveDuplicates();
  }

  private String table(String classes) {
    return Arrays.stream(classes.split(" "))
        .flatMap(name -> metrics.getOrDefault(name, List.of()).stream())
        .map(MetricsDocTest::row)
        .collect(
            Collectors.joining(
                "", "| name | type | labels | unit | meaning |\n|---|---|---|---|---|\n", ""));
  }

  private static String row(Metric metric) {
    String labels =
        metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            metric.name(),
            metric.type(),
            labels.isEmpty() ? "–" : labels,
            metric.unit().isEmpty() ? "–" : metric.unit(),
            metric.meaning());
  }

  /** By the classes whose constants they are, in the order in which they stand there. */
  private static Map<String, List<Metric>> metrics() {
    Map<String, List<Metric>> found = new TreeMap<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.vertlet")) {
      if (each.getFields().stream()
          .anyMatch(field -> field.getRawType().isEquivalentTo(Metric.class))) {
        found.put(each.getSimpleName(), constants(each.reflect()));
      }
    }
    return found;
  }

  private static List<Metric> constants(Class<?> owner) {
    List<Metric> constants = new ArrayList<>();
    for (Field field : owner.getDeclaredFields()) {
      if (field.getType() == Metric.class) {
        field.setAccessible(true);
        try {
          constants.add((Metric) field.get(null));
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return constants;
  }
}
