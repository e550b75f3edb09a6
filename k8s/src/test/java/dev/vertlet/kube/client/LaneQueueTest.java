package dev.vertlet.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.Lane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneQueueTest {
  private final LaneQueue<String> queue = new LaneQueue<>();

  @Test
  void takesHigherLanesFirstAndKeepsTheOrderWithinOne() {
    queue.add(Lane.REST, "rest");
    queue.add(Lane.POD_STATUS, "pod 1");
    queue.add(Lane.POD_STATUS, "pod 2");
    queue.add(Lane.EVENT, "event");
    queue.add(Lane.NODE, "node");
    queue.add(Lane.LEASE, "lease");

    List<String> taken = drain();
    assertThat(taken).containsExactly("lease", "node", "pod 1", "pod 2", "event", "rest");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void whatComesBackDoesNotLoseItsTurn() {
    queue.add(Lane.NODE, "second");
    queue.addFirst(Lane.NODE, "first");

    List<String> taken = drain();
    assertThat(taken).containsExactly("first", "second");
  }

  @Test
  void whatIsRemovedCountsNoMoreAndIsNotTaken() {
    queue.add(Lane.NODE, "node");
    queue.add(Lane.REST, "rest 1");
    queue.add(Lane.REST, "rest 2");

    queue.removeIf(element -> !element.equals("rest 2"));
    assertThat(queue.size(Lane.NODE)).isZero();
    assertThat(queue.size(Lane.REST)).isEqualTo(1);
    assertThat(queue.peek()).isEqualTo("rest 2");
    assertThat(drain()).containsExactly("rest 2");
  }

  private List<String> drain() {
    List<String> taken = new ArrayList<>();
    for (String next = queue.poll(); next != null; next = queue.poll()) {
      taken.add(next);
    }
    return taken;
  }
}
