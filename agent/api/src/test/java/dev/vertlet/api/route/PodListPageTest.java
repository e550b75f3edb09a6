package dev.vertlet.api.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodListPageTest {
  private static PodListPage of(String json) {
    return PodListPage.of(Buffer.buffer(json));
  }

  @Test
  void cutsTheItemsOutAsTheyAre() {
    PodListPage page =
        of(
            """
            {"kind": "PodList", "metadata": {"remainingItemCount": 7, "x": {"continue": "no"},
             "continue": "abc"}, "items": [{"a": "ä]"}, {"b": [1, 2]}]}\
            """);

    assertThat(page.items()).hasToString("{\"a\": \"ä]\"}, {\"b\": [1, 2]}");
    assertThat(page.next()).isEqualTo("abc");
  }

  @Test
  void theLastPageHasNoNext() {
    assertThat(of("{\"items\":[],\"metadata\":{}}"))
        .isEqualTo(new PodListPage(Buffer.buffer(), ""));
    assertThat(of("{\"items\":null}").items().length()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{\"items\":[", "{\"items\":[{]}"})
  void whatIsNoListIsAnError(String body) {
    HttpFailure failure = catchThrowableOfType(HttpFailure.class, () -> of(body));

    assertThat(failure.status()).isEqualTo(500);
  }
}
