package dev.vertlet.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LoadSchemaTest {
  private static JsonObject schema() throws IOException {
    return new JsonObject(Files.readString(Path.of("..", "..", "conf", "load.schema.json")));
  }

  /** Every key of every object, with its path. */
  private static void collect(String place, JsonObject node, List<JsonObject> into) {
    JsonObject properties = node.getJsonObject("properties", new JsonObject());
    for (String key : properties.fieldNames()) {
      JsonObject child = properties.getJsonObject(key);
      into.add(child.copy().put("place", place + "/" + key));
      collect(place + "/" + key, child, into);
      collect(place + "/" + key + "/0", child.getJsonObject("items", new JsonObject()), into);
    }
  }

  @Test
  void everyKeyIsDescribedAndHasAnExample() throws IOException {
    List<JsonObject> keys = new ArrayList<>();
    JsonObject schema = schema();
    collect("", schema, keys);
    collect("/arrival", schema.getJsonObject("$defs").getJsonObject("arrival"), keys);

    assertThat(keys)
        .allSatisfy(
            key -> {
              String place = key.getString("place");
              assertThat(key.getString("description")).as(place).isNotBlank();
              boolean list = "array".equals(key.getString("type"));
              assertThat(list || !key.getJsonArray("examples", new JsonArray()).isEmpty())
                  .as(place)
                  .isTrue();
            });
  }

  @Test
  void theDocumentHasEveryKey() throws IOException {
    String document = Files.readString(Path.of("..", "..", "docs", "scenarios.md"));
    List<JsonObject> keys = new ArrayList<>();
    collect("", schema(), keys);
    collect("", schema().getJsonObject("$defs").getJsonObject("arrival"), keys);

    assertThat(keys)
        .extracting(key -> key.getString("place").replaceFirst(".*/", ""))
        .allSatisfy(
            key -> assertThat(document).containsPattern("[`\"]" + Pattern.quote(key) + "[`\"]"));
  }
}
