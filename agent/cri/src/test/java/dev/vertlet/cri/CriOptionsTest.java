package dev.vertlet.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ProviderSettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CriOptionsTest {
  private static CriOptions read(String json) {
    return CriOptions.of(ProviderSettings.of(new JsonObject(json)));
  }

  @Test
  void imagesAreAskedForWhereContainersAre() {
    assertThat(read("{\"socket\": \"unix:///run/a.sock\"}"))
        .extracting(CriOptions::socket, CriOptions::imageSocket)
        .containsExactly(Path.of("/run/a.sock"), Path.of("/run/a.sock"));
  }

  @Test
  void aRuntimeClassHasTheHandlerThatIsNamedOrThatOfItsOwnName() {
    CriOptions options =
        read("{\"runtimeHandler\": \"runc\", \"runtimeClasses\": {\"sandboxed\": \"runsc\"}}");

    assertThat(List.of(options.handler(""), options.handler("sandboxed"), options.handler("kata")))
        .containsExactly("runc", "runsc", "kata");
    assertThat(options.runtimeClasses()).isEqualTo(Map.of("sandboxed", "runsc"));
  }

  /** Keys of the schema of the configuration. */
  static Stream<String> keys() throws IOException {
    return schema().fieldNames().stream();
  }

  private static JsonObject schema() throws IOException {
    JsonObject keys = new JsonObject(Files.readString(Path.of("../../conf/vertlet.schema.json")));
    for (String each : List.of("providers", "settings", "cri")) {
      keys = keys.getJsonObject("properties").getJsonObject(each);
    }
    return keys.getJsonObject("properties");
  }

  private static CriOptions with(String key, Object value) {
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
        "{\"socket\": \"run/a.sock\"}|/socket: run/a.sock must be the absolute path of a Unix"
            + " domain socket",
        "{\"imageSocket\": \"tcp://a:1\"}|/imageSocket: tcp://a:1 must be the absolute path of a"
            + " Unix domain socket",
        "{\"cgroupRoot\": \"vertlet\"}|/cgroupRoot: vertlet must be an absolute path of a cgroup,"
            + " or empty",
        "{\"cgroupRoot\": \"/a/../b\"}|/cgroupRoot: /a/../b must be an absolute path of a cgroup,"
            + " or empty",
        "{\"cgroupDriver\": \"none\"}|/cgroupDriver: none must be cgroupfs, systemd or empty",
        "{\"logsDir\": \"logs\"}|/logsDir: logs must be an absolute path",
        "{\"seccompDefault\": 1}|/seccompDefault: 1 must be true or false",
        "{\"runtimeClasses\": []}|/runtimeClasses: [] must be an object",
        "{\"podPidsLimit\": 0}|/podPidsLimit: 0 must be -1, or from 1 to 4194304",
        "{\"containerLogMaxBytes\": 1}|/containerLogMaxBytes: 1 must be a whole number from 4096 to"
            + " 1099511627776"
      })
  void refusesWhatIsNotAllowedByPointer(String json, String message) {
    assertThatThrownBy(() -> read(json)).hasMessage(message);
  }
}
