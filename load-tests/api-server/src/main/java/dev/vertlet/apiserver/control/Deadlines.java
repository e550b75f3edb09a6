package dev.vertlet.apiserver.control;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keys with a due time each, behind a single timer. */
public final class Deadlines<K> {
  private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

  private record Due<K>(Instant at, long sequence, K key) {}

  private final Clock clock;
  private final Turns turns;
  private final Consumer<K> onDue;
  private final Map<K, Due<K>> byKey = new HashMap<>();
  private final TreeSet<Due<K>> inOrder =
      new TreeSet<>(Comparator.<Due<K>, Instant>comparing(Due::at).thenComparing(Due::sequence));
  private long sequence;
  private Instant wakesAt = Instant.MAX;

  /**
   * @param onDue called with each key whose time has come, which is forgotten then
   */
  public Deadlines(Clock clock, Turns turns, Consumer<K> onDue) {
    this.clock = clock;
    this.turns = turns;
    this.onDue = onDue;
  }

  /** Sets or moves the due time of a key. */
  public void put(K key, Instant at) {
    remove(key);
    Due<K> due = new Due<>(at, sequence++, key);
    byKey.put(key, due);
    inOrder.add(due);
    arm();
  }

  /** Sets the due time of a key that has none. */
  public void putIfAbsent(K key, Instant at) {
    if (!byKey.containsKey(key)) {
      put(key, at);
    }
  }

  public void remove(K key) {
    Due<K> due = byKey.remove(key);
    if (due != null) {
      inOrder.remove(due);
    }
  }

  public boolean contains(K key) {
    return byKey.containsKey(key);
  }

  /** Moving the first deadline away leaves the timer as it is: it then finds nothing to do. */
  private void arm() {
    if (inOrder.isEmpty() || !inOrder.first().at().isBefore(wakesAt)) {
      return;
    }
    Instant mine = inOrder.first().at();
    wakesAt = mine;
    Duration delay = Duration.between(clock.instant(), mine);
    turns.later(delay.toMillis() < 1 ? Duration.ofMillis(1) : delay, () -> wake(mine));
  }

  private void wake(Instant armedFor) {
    if (!armedFor.equals(wakesAt)) {
      return; // an earlier timer has taken over
    }
    wakesAt = Instant.MAX;
    Instant now = clock.instant();
    while (!inOrder.isEmpty() && !inOrder.first().at().isAfter(now)) {
      Due<K> due = inOrder.pollFirst();
      byKey.remove(due.key());
      try {
        onDue.accept(due.key());
      } catch (RuntimeException e) { // the other keys keep their times, and the timer goes on
        LOG.atWarn()
            .addKeyValue("key", due.key())
            .setCause(e)
            .log("a controller could not do what was due");
      }
    }
    arm();
  }
}
