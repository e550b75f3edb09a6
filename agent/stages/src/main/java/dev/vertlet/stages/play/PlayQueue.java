package dev.vertlet.stages.play;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Objects by the time at which they are played next; equal times in the order of their addition.
 */
final class PlayQueue {
  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::number));

  private long numbers;

  private record Due(Instant at, long number, Played played, int ticket) {}

  /** Adds an object; an earlier place of it becomes void. */
  void add(Played played, Instant at) {
    played.ticket++;
    queue.add(new Due(at, numbers++, played, played.ticket));
  }

  /** Time of the first object; null for none. */
  @Nullable Instant next() {
    skipVoid();
    Due first = queue.peek();
    return first == null ? null : first.at();
  }

  /** Removes and returns the first object that is due; null for none. */
  @Nullable Played poll(Instant now) {
    Instant at = next();
    return at == null || at.isAfter(now) ? null : queue.remove().played();
  }

  private void skipVoid() {
    while (!queue.isEmpty() && queue.peek().ticket() != queue.peek().played().ticket) {
      queue.remove();
    }
  }
}
