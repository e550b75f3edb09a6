package dev.vertlet.configsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class LoadTurnsTest {
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private Context context;
  private LoadTurns turns;

  @BeforeEach
  void prepare(Vertx vertx) {
    context = vertx.getOrCreateContext();
    turns = new LoadTurns(vertx);
  }

  private <T> Future<T> on(Supplier<Future<T>> task) {
    Promise<T> done = Promise.promise();
    context.runOnContext(v -> task.get().onComplete(done));
    return done.future();
  }

  private Future<String> load(String name, Future<String> end) {
    return on(
        () ->
            turns.take(
                () -> {
                  begun.add(name);
                  return end;
                }));
  }

  private static void until(Future<?> done) {
    await().until(done::isComplete);
  }

  @Test
  void oneLoadsAtATimeInTheOrderOfTheirAsking() {
    Promise<String> first = Promise.promise();
    Future<String> one = load("one", first.future());
    Future<String> two = load("two", Future.failedFuture("no"));
    Future<String> three = load("three", Future.succeededFuture("3"));
    until(on(() -> Future.succeededFuture("all have asked")));
    assertThat(begun).containsExactly("one");

    context.runOnContext(v -> first.complete("1"));

    until(three);
    assertThat(begun).containsExactly("one", "two", "three");
    assertThat(one.result()).isEqualTo("1");
    assertThat(two.cause()).hasMessage("no");
  }

  @Test
  void aLoadThatTakesLongHoldsUpNoOther() {
    Promise<String> never = Promise.promise();
    Future<String> hangs = load("hangs", never.future());

    until(load("next", Future.succeededFuture("done")));

    assertThat(hangs.isComplete()).isFalse();
    until(on(() -> turns.close().mapEmpty()));
    context.runOnContext(v -> never.complete("late"));
    until(hangs);
  }

  @Test
  void theEndWaitsForWhatIsUnderWay() {
    Promise<String> last = Promise.promise();
    load("last", last.future());
    load("never", Future.succeededFuture(""));
    Future<?> closed = on(() -> turns.close().mapEmpty());
    until(on(() -> Future.succeededFuture("asked")));

    context.runOnContext(v -> last.complete(""));

    until(closed);
    until(on(() -> Future.succeededFuture("settled")));
    assertThat(begun).containsExactly("last");
  }
}
