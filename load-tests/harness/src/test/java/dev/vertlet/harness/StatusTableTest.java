package dev.vertlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/pods.md says of every field of a status whether it is written, and has no others. */
class StatusTableTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "pods.md");

  /** What the model keeps of fields that it does not know. */
  private static final String UNKNOWN = "additionalProperties";

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  @ParameterizedTest
  @ValueSource(
      classes = {PodStatus.class, ContainerStatus.class, NodeStatus.class, NodeSystemInfo.class})
  void everyFieldHasOneRow(Class<?> type) throws IOException {
    List<String> fields =
        Arrays.stream(type.getDeclaredFields())
            .filter(field -> !field.isSynthetic())
            .map(Field::getName)
            .filter(name -> !name.equals(UNKNOWN))
            .toList();

    assertThat(documented(type.getSimpleName())).containsExactlyInAnyOrderElementsOf(fields);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {PodStatus.class, ContainerStatus.class, NodeStatus.class, NodeSystemInfo.class})
  void everyRowSaysWhetherItIsWritten(Class<?> type) throws IOException {
    assertThat(rows(type.getSimpleName()))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.split("\\|")[2].strip()).matches("(not )?written.*"));
  }

  /** Names in the first column, those of fields of fields left out. */
  private static List<String> documented(String type) throws IOException {
    List<String> names = new ArrayList<>();
    for (String row : rows(type)) {
      Matcher name = NAME.matcher(row.split("\\|")[1]);
      while (name.find()) {
        if (!name.group(1).contains(".")) {
          names.add(name.group(1));
        }
      }
    }
    return names;
  }

  private static List<String> rows(String type) throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    int heading = lines.indexOf("| `" + type + "` | |");
    assertThat(heading).as("the table of " + type).isNotNegative();
    return lines.stream().skip(heading + 2L).takeWhile(line -> line.startsWith("|")).toList();
  }
}
