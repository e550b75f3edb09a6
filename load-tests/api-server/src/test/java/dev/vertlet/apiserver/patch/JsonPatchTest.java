package dev.vertlet.apiserver.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonPatchTest {
  private static final String ADD = "{\"op\":\"add\",\"path\":\"%s\",\"value\":%s}";
  private static final String COPY = "{\"op\":\"copy\",\"from\":\"%s\",\"path\":\"%s\"}";
  private static final String MOVE = "{\"op\":\"move\",\"from\":\"%s\",\"path\":\"%s\"}";

  private static JsonNode apply(List<String> operations) throws Exception {
    ObjectNode target = new ObjectMapper().createObjectNode();
    target.putObject("a").put("b", "text");
    String body = "[" + String.join(",", operations) + "]";
    return Patch.decode("application/json-patch+json", body.getBytes(UTF_8)).apply(target);
  }

  private static void assertRefused(int code, List<String> operations) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> apply(operations))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @Test
  void copiesThatDoubleAreBounded() throws Exception {
    List<String> operations = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      operations.add(COPY.formatted("/a", "/a/c" + i));
    }
    assertThat(apply(operations).toString()).hasSizeLessThan(3 << 20);

    for (int i = 15; i < 40; i++) {
      operations.add(COPY.formatted("/a", "/a/c" + i));
    }
    assertRefused(422, operations);
  }

  @Test
  void theDocumentIsNotPutIntoItself() {
    assertRefused(422, List.of(COPY.formatted("", "/a/c")));
    assertRefused(422, List.of(MOVE.formatted("", "/a/c")));
    assertRefused(422, List.of(MOVE.formatted("/a", "/a/b")));
  }

  @Test
  void levelsAreBoundedHoweverTheyCome() {
    String deep = "{\"x\":".repeat(400) + "1" + "}".repeat(400);
    String path = "/x".repeat(400);
    assertRefused(
        422,
        List.of(
            ADD.formatted("/a", deep),
            ADD.formatted("/a" + path, deep),
            ADD.formatted("/a" + path + path, deep)));
    List<String> copies = new ArrayList<>(List.of(ADD.formatted("/a", deep)));
    for (int i = 0; i < 4; i++) {
      copies.add(COPY.formatted("/a", "/a" + path.repeat(i + 1)));
    }
    assertRefused(422, copies);
    assertRefused(422, List.of(ADD.formatted("/a" + "/".repeat(1_000_000), "1")));
  }

  @Test
  void operationsAreCounted() throws Exception {
    String operation = ADD.formatted("/a/b", "1");
    assertThat(apply(java.util.Collections.nCopies(10_000, operation)).at("/a/b").asInt()).isOne();

    assertRefused(413, java.util.Collections.nCopies(10_001, operation));
  }
}
