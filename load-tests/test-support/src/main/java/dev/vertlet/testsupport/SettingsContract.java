package dev.vertlet.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a provider reads of its section of the configuration is what the schema says. */
public interface SettingsContract {
  /** Name of the section below {@code providers.settings}. */
  String provider();

  /** Reads a section as the provider does; throws for what is not allowed. */
  Object read(String json);

  private JsonObject schema() throws IOException {
    JsonObject keys = new JsonObject(Files.readString(Path.of("../../conf/vertlet.schema.json")));
    for (String each : List.of("providers", "settings", provider())) {
      keys = keys.getJsonObject("properties").getJsonObject(each);
    }
    return keys.getJsonObject("properties");
  }

  private Object with(String key, Object value) {
    return read(new JsonObject().put(key, value).encode());
  }

  @TestFactory
  default Stream<DynamicTest> theSchemaHasTheDefaultAndAnExampleThatIsAllowed() throws IOException {
    JsonObject schema = schema();
    return schema.fieldNames().stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      JsonObject key = schema.getJsonObject(name);
                      if (key.containsKey("default")) {
                        assertThat(with(name, key.getValue("default"))).isEqualTo(read("{}"));
                      }
                      assertThat(with(name, key.getJsonArray("examples").getValue(0)))
                          .isNotEqualTo(read("{}"));
                    }));
  }

  @Test
  default void theSchemaHasAllKeys() throws IOException {
    String known = String.join(", ", new TreeSet<>(schema().fieldNames()));

    assertThatThrownBy(() -> read("{\"x\": 1}")).hasMessageEndingWith("known are " + known);
  }
}
