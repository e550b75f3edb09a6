package dev.vertlet.apiserver.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private final ManualTime time = new ManualTime();
  private final List<String> done = new ArrayList<>();

  @Test
  void worksOnEachKeyOnceAndNeverInsideTheCall() {
    WorkQueue<String> queue = new WorkQueue<>(time, done::add);
    queue.add("a");
    queue.add("b");
    queue.add("a");
    assertThat(done).isEmpty();

    time.settle();

    assertThat(done).containsExactly("a", "b");
    assertThat(time.turns()).isEqualTo(1);
  }

  @Test
  void leavesTheLoopToOthersBetweenSlices() {
    WorkQueue<String> queue = new WorkQueue<>(time, done::add);
    for (int i = 0; i < 120; i++) {
      queue.add("k" + i);
    }

    time.settle();

    assertThat(done).hasSize(120);
    assertThat(time.turns()).isEqualTo(3);
  }

  @Test
  void aFailureDoesNotStopTheOthers() {
    WorkQueue<String> queue =
        new WorkQueue<>(
            time,
            key -> {
              if (key.equals("bad")) {
                throw new IllegalStateException("scripted");
              }
              done.add(key);
            });
    queue.add("bad");
    queue.add("good");

    time.settle();

    assertThat(done).containsExactly("good");
  }

  @Test
  void aPauseBoundsTheRate() {
    WorkQueue<String> queue = new WorkQueue<>(time, Duration.ofSeconds(1), done::add);
    queue.add("a");
    time.settle();
    assertThat(done).isEmpty();

    time.advance(Duration.ofSeconds(1));

    assertThat(done).containsExactly("a");
  }

  @Test
  void deadlinesFireInOrderAndCanBeMovedOrLifted() {
    Deadlines<String> deadlines = new Deadlines<>(time, time, done::add);
    Instant start = time.instant();
    deadlines.put("late", start.plusSeconds(9));
    deadlines.put("moved", start.plusSeconds(1));
    deadlines.put("lifted", start.plusSeconds(2));
    deadlines.put("early", start.plusSeconds(3));
    deadlines.put("moved", start.plusSeconds(5));
    deadlines.putIfAbsent("moved", start.plusSeconds(1));
    deadlines.remove("lifted");

    time.advance(Duration.ofSeconds(4));
    assertThat(done).containsExactly("early");
    time.advance(Duration.ofSeconds(6));

    assertThat(done).containsExactly("early", "moved", "late");
    assertThat(deadlines.contains("late")).isFalse();
  }
}
