package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ProviderSettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ProcessOptionsTest {
  private static ProcessOptions read(String json) {
    return ProcessOptions.of(ProviderSettings.of(new JsonObject(json)));
  }

  @Test
  void hasADefaultForEverything() {
    assertThat(read("{}"))
        .isEqualTo(
            new ProcessOptions(
                null, List.of(), null, null, false, true, "/vertlet", -1, 10 << 20, 5));
  }

  @Test
  void readsEveryKey() {
    assertThat(
            read(
                """
                {"directory": "/run/p", "images": [{"pattern": "*", "root": "host"}], "user": 7, "group": 8,
                 "allowRoot": true, "mounts": "links", "cgroup": "", "podPidsLimit": 100,
                 "containerLogMaxBytes": 5000, "containerLogMaxFiles": 2}
                """))
        .isEqualTo(
            new ProcessOptions(
                Path.of("/run/p"),
                List.of(new ImageRule("*", null, List.of())),
                7L,
                8L,
                true,
                false,
                "",
                100,
                5000,
                2));
  }

  @Test
  void theFirstRuleThatMatchesAnImageCounts() {
    ProcessOptions options =
        read(
            """
            {"images": [{"pattern": "example.com/tools:*", "root": "/opt/tools"},
                        {"pattern": "*/python*", "root": "host", "command": ["python3"]}]}
            """);

    assertThat(Objects.requireNonNull(options.rule("example.com/tools:1")).root())
        .isEqualTo(Path.of("/opt/tools"));
    assertThat(Objects.requireNonNull(options.rule("docker.io/python:3")).command())
        .containsExactly("python3");
    assertThat(options.rule("busybox")).isNull();
  }

  /** Keys of the schema of the configuration. */
  static Stream<String> keys() throws IOException {
    return schema().fieldNames().stream();
  }

  private static JsonObject schema() throws IOException {
    JsonObject keys = new JsonObject(Files.readString(Path.of("../../conf/vertlet.schema.json")));
    for (String each : List.of("providers", "settings", "process")) {
      keys = keys.getJsonObject("properties").getJsonObject(each);
    }
    return keys.getJsonObject("properties");
  }

  private static ProcessOptions with(String key, Object value) {
    return read(new JsonObject().put(key, value).encode());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void theSchemaHasTheDefaultAndAnExampleThatIsAllowed(String name) throws IOException {
    JsonObject key = schema().getJsonObject(name);

    if (key.containsKey("default")) {
      assertThat(with(name, key.getValue("default"))).isEqualTo(read("{}"));
    }
    assertThat(with(name, key.getJsonArray("examples").getValue(0))).isNotEqualTo(read("{}"));
  }

  @Test
  void theSchemaHasAllKeys() throws IOException {
    String known = String.join(", ", new TreeSet<>(schema().fieldNames()));

    assertThatThrownBy(() -> read("{\"x\": 1}")).hasMessageEndingWith("known are " + known);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"directory\": \"run\"}|/directory: run must be an absolute path",
        "{\"images\": {}}|/images: {} must be a list of objects",
        "{\"images\": [{\"pattern\": \"*\"}]}|/images/0/root:  is missing; must be a text",
        "{\"images\": [{\"pattern\": \"*\", \"root\": \"x\"}]}|/images/0/root: x must be \"host\" or"
            + " an absolute path",
        "{\"user\": -1}|/user: -1 must be a whole number from 0 to 4294967294",
        "{\"allowRoot\": 1}|/allowRoot: 1 must be true or false",
        "{\"mounts\": \"all\"}|/mounts: all must be auto or links",
        "{\"cgroup\": \"vertlet\"}|/cgroup: vertlet must be an absolute path below the root of the"
            + " cgroups, or empty for none",
        "{\"cgroup\": \"/a/../b\"}|/cgroup: /a/../b must be an absolute path below the root of the"
            + " cgroups, or empty for none",
        "{\"podPidsLimit\": 0}|/podPidsLimit: 0 must be -1 for no limit, or at least 1",
        "{\"containerLogMaxBytes\": 1}|/containerLogMaxBytes: 1 must be a whole number from 4096 to"
            + " 1099511627776",
        "{\"containerLogMaxFiles\": 1}|/containerLogMaxFiles: 1 must be a whole number from 2 to 1000",
        "{\"alowRoot\": true}|/alowRoot:  unknown key; known are allowRoot, cgroup,"
            + " containerLogMaxBytes, containerLogMaxFiles, directory, group, images, mounts,"
            + " podPidsLimit, user"
      })
  void refusesWhatIsNotAllowedByPointer(String json, String message) {
    assertThatThrownBy(() -> read(json)).hasMessage(message);
  }
}
