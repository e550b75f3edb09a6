package dev.vertlet.bus;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodStatusView;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusTest {
  private static final BatchAddress<PodReport> REPORTS = Addresses.POD_REPORTED.shard(0);

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.install(vertx);
  private final Context loop = vertx.getOrCreateContext();
  private final List<List<String>> batches = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    get(vertx.close());
  }

  private static PodReport report(int number) {
    return new PodReport(
        new PodRef("default", "pod-" + number, "uid-" + number),
        "node",
        PodStatusView.EMPTY,
        false);
  }

  private void listen() {
    Promise<Void> listening = Promise.promise();
    loop.runOnContext(
        v ->
            bus.consume(
                    REPORTS,
                    batch -> batches.add(batch.stream().map(each -> each.pod().name()).toList()))
                .completion()
                .onComplete(listening));
    get(listening.future());
  }

  @Test
  void deliversTheMessagesOfOneTurnTogetherAndInOrder() {
    listen();
    loop.runOnContext(v -> IntStream.range(0, 3).forEach(i -> bus.send(REPORTS, report(i))));
    eventually(() -> assertThat(batches).containsExactly(List.of("pod-0", "pod-1", "pod-2")));
    loop.runOnContext(v -> bus.send(REPORTS, report(3)));
    eventually(() -> assertThat(batches).hasSize(2).last().isEqualTo(List.of("pod-3")));
  }

  @Test
  void deliversABatchOneTurnAfterItsFirstMessage() {
    listen();
    List<Integer> seen = new CopyOnWriteArrayList<>();
    loop.runOnContext(
        v -> {
          bus.send(REPORTS, report(0));
          loop.runOnContext(next -> seen.add(batches.size()));
        });
    eventually(() -> assertThat(seen).containsExactly(1));
  }

  /** In a batch it could overtake what was sent to other addresses before it. */
  @Test
  void deliversMessagesOfAnotherContextOneByOne() {
    listen();
    IntStream.range(0, 3).forEach(i -> bus.send(REPORTS, report(i)));
    eventually(
        () ->
            assertThat(batches)
                .containsExactly(List.of("pod-0"), List.of("pod-1"), List.of("pod-2")));
  }

  @Test
  void losesMessagesWithoutAReceiver() {
    bus.send(REPORTS, report(0));
    listen();
    bus.send(REPORTS, report(1));
    eventually(() -> assertThat(batches).containsExactly(List.of("pod-1")));
  }
}
