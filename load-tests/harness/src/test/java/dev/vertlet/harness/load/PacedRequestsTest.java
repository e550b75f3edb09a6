package dev.vertlet.harness.load;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.harness.scenario.Arrival;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class PacedRequestsTest {
  private static final int COUNT = 200;
  private static final int WINDOW = 16;

  private final AtomicLong clock = new AtomicLong();

  private Future<Void> run(Vertx vertx, Arrival arrival, int count, PacedRequests.Request request) {
    Context context = vertx.getOrCreateContext();
    Promise<Void> done = Promise.promise();
    context.runOnContext(
        v ->
            new PacedRequests(context, clock::get, count, request)
                .run(arrival, new SplittableRandom(1))
                .onComplete(done));
    return done.future();
  }

  @Test
  void aBurstKeepsItsWindowFull(Vertx vertx) throws Exception {
    List<Integer> inFlight = new ArrayList<>();
    int[] open = {0};

    get(
        run(
            vertx,
            new Arrival.Burst(WINDOW),
            COUNT,
            (index, from) -> {
              inFlight.add(++open[0]);
              return vertx.timer(1).onSuccess(fired -> open[0]--);
            }));

    assertThat(inFlight).hasSize(COUNT).contains(WINDOW);
    assertThat(inFlight).allSatisfy(n -> assertThat(n).isLessThanOrEqualTo(WINDOW));
  }

  @Test
  void aConstantPaceCountsFromWhenARequestWasDue(Vertx vertx) throws Exception {
    List<Long> from = new ArrayList<>();

    get(
        run(
            vertx,
            new Arrival.Constant(100),
            3,
            (index, latencyFrom) -> {
              from.add(latencyFrom);
              // the server stalls for a second: the others are late, and their latency says so
              clock.set(1_000_000_000);
              return Future.succeededFuture();
            }));

    assertThat(from).containsExactly(0L, 10_000_000L, 20_000_000L);
  }

  @Test
  void aConstantPaceDoesNotWaitForAnswers(Vertx vertx) throws Exception {
    clock.set(0);
    Promise<Void> answer = Promise.promise();
    Promise<Void> allSent = Promise.promise();

    Future<Void> done =
        run(
            vertx,
            new Arrival.Constant(1_000),
            COUNT,
            (index, from) -> {
              clock.addAndGet(1_000_000);
              if (index == COUNT - 1) {
                allSent.complete();
              }
              return answer.future();
            });

    get(allSent.future());
    assertThat(done.isComplete()).isFalse();
    answer.complete();
    get(done);
  }

  @Test
  void theFirstFailureEndsIt(Vertx vertx) {
    List<Integer> sent = new ArrayList<>();

    Future<Void> done =
        run(
            vertx,
            new Arrival.Burst(WINDOW),
            COUNT,
            (index, from) -> {
              sent.add(index);
              return index == 0
                  ? Future.failedFuture(new IllegalStateException("refused"))
                  : Future.succeededFuture();
            });

    assertThatThrownBy(() -> get(done)).hasMessageContaining("refused");
    assertThat(sent).containsExactly(0);
  }

  @Test
  void nothingToSendIsDone(Vertx vertx) throws Exception {
    get(
        run(
            vertx,
            new Arrival.Burst(WINDOW),
            0,
            (index, from) -> Future.failedFuture("never sent")));
  }
}
