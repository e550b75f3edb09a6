package dev.vertlet.kubelet.pod;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wake-up times of many owners behind one timer: O(1) to set and move, no allocation. Entries
 * beyond one turn stay in their bucket until their time has come.
 *
 * <p>Times are epoch milliseconds. An owner wakes at its time or up to one tick later.
 */
public final class TimerWheel<T> {
  /** Coarse enough that thousands of wake-ups share a timer, fine enough for a 1 s grace. */
  public static final long TICK = 50;

  /** 4096 × 50 ms = 205 s per turn: resyncs (60 to 90 s) fire in their first turn. */
  private static final int BUCKETS = 4096;

  /** Entry of one owner in the wheel; the owner may be its own entry. */
  public abstract static class Entry<T> {
    private long at;
    private @Nullable Entry<T> next;
    private @Nullable Entry<T> previous;
    private int bucket = -1;

    /** Wakes up at the entry's time. */
    abstract T owner();

    boolean scheduled() {
      return bucket >= 0;
    }

    public long at() {
      return at;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private final @Nullable Entry<T>[] heads = new Entry[BUCKETS];

  private long turnedTo;
  private int size;

  public TimerWheel(long now) {
    turnedTo = now / TICK;
  }

  /** Returns the first tick that is not before this time. */
  public static long tickAfter(long at) {
    return (at + TICK - 1) / TICK * TICK;
  }

  int size() {
    return size;
  }

  /** Sets or moves a wake-up; a time in the past is due at once. */
  public void schedule(Entry<T> entry, long at) {
    if (entry.scheduled()) {
      if (entry.at == at) {
        return;
      }
      cancel(entry);
    }
    entry.at = at;
    // rounded up: a bucket opens only when all entries of its own turn are due
    long tick = Math.max(turnedTo, tickAfter(at) / TICK);
    int bucket = (int) (tick % BUCKETS);
    Entry<T> head = heads[bucket];
    entry.bucket = bucket;
    entry.next = head;
    if (head != null) {
      head.previous = entry;
    }
    heads[bucket] = entry;
    size++;
  }

  public void cancel(Entry<T> entry) {
    if (!entry.scheduled()) {
      return;
    }
    Entry<T> before = entry.previous;
    Entry<T> after = entry.next;
    if (before == null) {
      heads[entry.bucket] = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    entry.next = null;
    entry.previous = null;
    entry.bucket = -1;
    size--;
  }

  /** Takes out all due owners and passes them on; an owner may schedule itself again. */
  public void advance(long now, Consumer<T> due) {
    long target = now / TICK;
    // more than one turn behind (a suspended machine): one pass over all buckets is enough
    long from = Math.max(turnedTo, target - BUCKETS + 1);
    turnedTo = Math.max(turnedTo, target);
    for (long tick = from; tick <= target; tick++) {
      open((int) (tick % BUCKETS), now, due);
    }
  }

  private void open(int bucket, long now, Consumer<T> due) {
    List<T> ready = new ArrayList<>();
    Entry<T> entry = heads[bucket];
    while (entry != null) {
      Entry<T> following = entry.next;
      if (entry.at <= now) {
        cancel(entry);
        ready.add(entry.owner());
      }
      entry = following;
    }
    ready.forEach(due);
  }

  /** Next tick at which an owner may be due; {@link Long#MAX_VALUE} when empty. */
  public long nextTick() {
    if (size == 0) {
      return Long.MAX_VALUE;
    }
    for (long tick = turnedTo; tick < turnedTo + BUCKETS; tick++) {
      for (Entry<T> e = heads[(int) (tick % BUCKETS)]; e != null; e = e.next) {
        if (e.at <= tick * TICK) {
          return tick * TICK;
        }
      }
    }
    return (turnedTo + BUCKETS) * TICK;
  }
}
