package dev.vertlet.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
  private final ConcurrencyLimit limit = new ConcurrencyLimit(2);

  /** Tasks that have begun, in order. */
  private final List<Promise<Integer>> begun = new ArrayList<>();

  private Future<Integer> run() {
    return limit.run(
        () -> {
          Promise<Integer> task = Promise.promise();
          begun.add(task);
          return task.future();
        });
  }

  @Test
  void tasksAboveTheLimitWaitInOrder() {
    List<Future<Integer>> results = List.of(run(), run(), run(), run());
    assertThat(begun).hasSize(2);
    assertThat(limit.running()).isEqualTo(2);

    begun.get(1).complete(11);
    assertThat(begun).hasSize(3);
    begun.get(2).complete(12);
    assertThat(begun).hasSize(4);

    assertThat(results.get(1).result()).isEqualTo(11);
    assertThat(results.get(2).result()).isEqualTo(12);
    assertThat(results.get(0).isComplete()).isFalse();
    assertThat(results.get(3).isComplete()).isFalse();
  }

  @Test
  void aTaskThatFailsMakesRoomAsOneThatSucceeds() {
    List<Future<Integer>> results = List.of(run(), run(), run());

    begun.get(0).fail("broken");

    assertThat(results.get(0).cause()).hasMessage("broken");
    assertThat(begun).hasSize(3);
    begun.get(2).fail("broken later");
    assertThat(results.get(2).cause()).hasMessage("broken later");
  }

  @Test
  void itIsIdleWhenNoTaskRunsOrWaits() {
    assertThat(limit.isIdle()).isTrue();
    Future<Integer> done = run();
    assertThat(limit.isIdle()).isFalse();

    begun.get(0).complete(1);

    assertThat(done.result()).isEqualTo(1);
    assertThat(limit.running()).isZero();
    assertThat(limit.isIdle()).isTrue();
  }
}
