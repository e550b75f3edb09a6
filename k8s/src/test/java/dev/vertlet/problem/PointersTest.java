package dev.vertlet.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class PointersTest {
  @Test
  void tokensAreEscapedAndRead() {
    assertThat(Pointers.of("a/b", "~1", "")).isEqualTo("/a~1b/~01/");
    assertThat(Pointers.tokens("/a~1b/~01/")).containsExactly("a/b", "~1", "");
    assertThat(Pointers.of()).isEmpty();
    assertThat(Pointers.tokens("")).isEmpty();
  }

  @Test
  void findsWhatIsThere() {
    JsonObject document =
        new JsonObject().put("list", new JsonArray().add(new JsonObject().put("a", 1)));

    assertThat(Pointers.find(document, List.of("list", "0", "a"))).isEqualTo(1);
    assertThat(Pointers.find(document, List.of("list", "1", "a"))).isNull();
    assertThat(Pointers.find(document, List.of("list", "x"))).isNull();
    assertThat(Pointers.find(document, List.of("list", "0", "a", "b"))).isNull();
    assertThat(Pointers.find(document, List.of())).isEqualTo(document);
  }
}
