package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.vertlet.simulated.rule.DurationRule;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeadlineQueueTest {
  private final FakeTime time = new FakeTime();
  private final List<Timed> due = new ArrayList<>();
  private final DeadlineQueue queue =
      new DeadlineQueue(time, time, (element, now) -> due.add(element));

  @Test
  void firesInOrderBehindOneTimer() {
    Timed late = at(300);
    Timed early = at(100);
    queue.schedule(late);
    queue.schedule(early);
    queue.schedule(at(DurationRule.NEVER_MILLIS));

    assertThat(time.pending()).isEqualTo(1);
    time.advance(Duration.ofMillis(100));
    assertThat(due).containsExactly(early);
    time.advance(Duration.ofMillis(200));

    assertThat(due).containsExactly(early, late);
    assertThat(time.pending()).isZero();
  }

  @Test
  void aRemovedElementIsNotDue() {
    Timed gone = at(100);
    queue.schedule(gone);
    queue.remove(gone);
    queue.remove(gone);
    time.advance(Duration.ofSeconds(1));

    assertThat(due).isEmpty();
    assertThat(queue.size()).isZero();
  }

  @Test
  void dividesABurstIntoTurnsAndLosesNothing() {
    int[] turns = {0};
    List<Integer> perTurn = new ArrayList<>();
    DeadlineQueue counted =
        new DeadlineQueue(
            time,
            new Timers() {
              @Override
              public long start(long delayMillis, Runnable action) {
                return time.start(
                    delayMillis,
                    () -> {
                      int before = turns[0];
                      action.run();
                      perTurn.add(turns[0] - before);
                    });
              }

              @Override
              public void cancel(long id) {
                time.cancel(id);
              }
            },
            (element, now) -> turns[0]++);
    for (int i = 0; i < 2000; i++) {
      counted.schedule(at(10));
    }

    time.advance(Duration.ofSeconds(1));

    assertThat(turns[0]).isEqualTo(2000);
    assertThat(perTurn).allMatch(n -> n <= DeadlineQueue.MAX_PER_TURN).hasSize(4);
  }

  @Test
  void survivesAListenerThatThrows() {
    DeadlineQueue angry =
        new DeadlineQueue(
            time,
            time,
            (element, now) -> {
              due.add(element);
              if (due.size() == 1) {
                throw new IllegalStateException("as asked");
              }
            });
    angry.schedule(at(10));
    angry.schedule(at(20));

    assertThatIllegalStateException().isThrownBy(() -> time.advance(Duration.ofMillis(10)));
    time.advance(Duration.ofMillis(50));

    assertThat(due).hasSize(2);
  }

  @Test
  void closingReturnsWhatWasToCome() {
    Timed element = at(100);
    queue.schedule(element);

    assertThat(queue.close()).containsExactly(element);
    queue.schedule(at(50));
    time.advance(Duration.ofSeconds(1));

    assertThat(due).isEmpty();
    assertThat(time.pending()).isZero();
  }

  @Test
  void keepsOrderUnderRandomChange() {
    Random random = new Random(7);
    List<Timed> waiting = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      Timed element = at(random.nextInt(100_000));
      waiting.add(element);
      queue.schedule(element);
      if (random.nextInt(3) == 0) {
        queue.remove(waiting.remove(random.nextInt(waiting.size())));
      }
    }

    time.advance(Duration.ofSeconds(200));

    assertThat(due).hasSameSizeAs(waiting).containsExactlyInAnyOrderElementsOf(waiting);
    assertThat(due).isSortedAccordingTo((a, b) -> Long.compare(a.deadline(), b.deadline()));
  }

  private static Timed at(long millisFromStart) {
    long at =
        millisFromStart == DurationRule.NEVER_MILLIS
            ? millisFromStart
            : FakeTime.START.toEpochMilli() + millisFromStart;
    return new DelayedCall<>(at, Future::succeededFuture);
  }
}
