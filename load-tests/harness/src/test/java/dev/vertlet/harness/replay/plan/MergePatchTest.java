package dev.vertlet.harness.replay.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class MergePatchTest {
  private static JsonObject patch(String from, String to) {
    return MergePatch.between(new JsonObject(from), new JsonObject(to));
  }

  @Test
  void namesOnlyWhatIsDifferent() {
    assertThat(patch("{\"a\":{\"b\":1,\"c\":2},\"d\":[1]}", "{\"a\":{\"b\":1,\"c\":3},\"d\":[1]}"))
        .isEqualTo(new JsonObject("{\"a\":{\"c\":3}}"));
  }

  @Test
  void removesWhatIsGoneByNull() {
    JsonObject patch = patch("{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"b\":1}}");

    assertThat(patch.getJsonObject("a").containsKey("c")).isTrue();
    assertThat(patch.getJsonObject("a").getValue("c")).isNull();
  }

  @Test
  void replacesArraysAsAWhole() {
    assertThat(patch("{\"a\":[{\"b\":1}]}", "{\"a\":[{\"b\":2},{}]}"))
        .isEqualTo(new JsonObject("{\"a\":[{\"b\":2},{}]}"));
  }

  @Test
  void isEmptyForEqualObjects() {
    assertThat(patch("{\"a\":{\"b\":[1]}}", "{\"a\":{\"b\":[1]}}")).isEqualTo(new JsonObject());
  }
}
