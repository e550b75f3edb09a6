package dev.vertlet.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ViewerTest {
  private final List<String> written = new ArrayList<>();
  private boolean full;
  private boolean closed;
  private final Viewer viewer = new Viewer(response(), NodeQuery.ALL);

  /** Only what a viewer asks of it. */
  private HttpServerResponse response() {
    return (HttpServerResponse)
        Proxy.newProxyInstance(
            ViewerTest.class.getClassLoader(),
            new Class<?>[] {HttpServerResponse.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "setWriteQueueMaxSize" -> self;
                  case "writeQueueFull" -> full;
                  case "closed" -> closed;
                  case "ended" -> false;
                  case "write" -> {
                    written.add((String) arguments[0]);
                    yield Future.succeededFuture();
                  }
                  default -> throw new AssertionError(method.getName());
                });
  }

  @Test
  void isToldWhatChangedAndNothingTwice() {
    assertThat(viewer.tell(Map.of("a", "1", "b", "2"), 7)).isTrue();
    viewer.tell(Map.of("a", "1", "b", "3"), 8);
    viewer.tell(Map.of("a", "1", "b", "3"), 9);

    assertThat(written).hasSize(2);
    assertThat(written.get(0)).startsWith("data: {\"now\":7,").endsWith("}\n\n");
    assertThat(written.get(1)).isEqualTo("data: {\"now\":8,\"b\":3}\n\n");
  }

  @Test
  void givesASignOfLifeWhenNothingChanges() {
    for (int i = 0; i < 11; i++) {
      viewer.tell(Map.of("a", "1"), i);
    }

    assertThat(written)
        .containsExactly(
            "data: {\"now\":0,\"a\":1}\n\n", "data: {\"now\":5}\n\n", "data: {\"now\":10}\n\n");
  }

  @Test
  void isLetGoWhenItTakesNothing() {
    full = true;
    for (int i = 1; i < Viewer.PATIENCE_SECONDS; i++) {
      assertThat(viewer.tell(Map.of("a", "" + i), i)).isTrue();
    }
    assertThat(viewer.tell(Map.of("a", "x"), 99)).isFalse();
    assertThat(written).isEmpty();
  }

  @Test
  void whatItMissedIsToldInOne() {
    viewer.tell(Map.of("a", "1"), 1);
    full = true;
    viewer.tell(Map.of("a", "2"), 2);
    full = false;
    viewer.tell(Map.of("a", "3"), 3);

    assertThat(written).last().isEqualTo("data: {\"now\":3,\"a\":3}\n\n");
    closed = true;
    assertThat(viewer.tell(Map.of("a", "4"), 4)).isFalse();
  }
}
