package dev.vertlet.apiserver.control;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that wait for work, each at most once, in order of arrival. A key that is added while it is
 * worked on waits again.
 */
public final class WorkQueue<K> {
  private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

  /** Keys per turn: some milliseconds of work, then requests are served. */
  private static final int SLICE = 50;

  private final Turns turns;
  private final Duration pause;
  private final Consumer<K> worker;
  private final Set<K> waiting = new LinkedHashSet<>();
  private boolean scheduled;

  public WorkQueue(Turns turns, Consumer<K> worker) {
    this(turns, Duration.ZERO, worker);
  }

  /**
   * @param pause before each slice, which bounds the rate of work that nobody waits for
   */
  public WorkQueue(Turns turns, Duration pause, Consumer<K> worker) {
    this.turns = turns;
    this.pause = pause;
    this.worker = worker;
  }

  public void add(K key) {
    waiting.add(key);
    schedule();
  }

  public int size() {
    return waiting.size();
  }

  private void schedule() {
    if (scheduled || waiting.isEmpty()) {
      return;
    }
    scheduled = true;
    if (pause.isZero()) {
      turns.soon(this::work);
    } else {
      turns.later(pause, this::work);
    }
  }

  private void work() {
    scheduled = false;
    for (int i = 0; i < SLICE && !waiting.isEmpty(); i++) {
      Iterator<K> first = waiting.iterator();
      K key = first.next();
      first.remove();
      try {
        worker.accept(key);
      } catch (RuntimeException e) { // one bad object must not stop the controller
        LOG.atWarn().addKeyValue("key", key).setCause(e).log("a controller could not do its work");
      }
    }
    schedule();
  }
}
