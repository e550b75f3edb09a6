package dev.vertlet.model;

import java.util.AbstractCollection;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hash table of values that contain their key. A {@code HashMap} needs some 42 bytes per entry
 * beside the value, this table 5 to 10: each pod is in many tables.
 *
 * <p>Open addressing with linear probing; a removal moves later values into the gap, so no deletion
 * marks accumulate. A key must not change while its value is in the table. Not thread-safe, but
 * {@link #size} may be read from any thread, and is then approximately right.
 *
 * @param <K> key, with {@code equals} and {@code hashCode}
 * @param <V> value
 */
public final class KeyedTable<K, V> {
  private static final int LEAST = 8;

  /** 2^32 divided by the golden ratio: spreads neighbouring hashes. */
  private static final int SPREAD = 0x9E3779B9;

  private final Function<? super V, ? extends K> key;
  private @Nullable Object[] slots = new @Nullable Object[LEAST];
  private int shift = Integer.numberOfLeadingZeros(LEAST) + 1;
  private int size;

  /**
   * Creates an empty table.
   *
   * @param key returns a value's key; called repeatedly, with a constant result
   */
  public KeyedTable(Function<? super V, ? extends K> key) {
    this.key = key;
  }

  /** Number of values. */
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean contains(K wanted) {
    return slots[find(wanted)] != null;
  }

  /** Returns the value with this key, or null. */
  public @Nullable V get(K wanted) {
    return value(find(wanted));
  }

  /** Adds a value, replacing the one with its key; returns the replaced value, or null. */
  public @Nullable V put(V value) {
    int at = find(key.apply(value));
    V before = value(at);
    slots[at] = value;
    if (before == null && ++size * 5L > slots.length * 4L) {
      resize(slots.length * 2);
    }
    return before;
  }

  /** Removes the value with this key; returns it, or null. */
  public @Nullable V remove(K unwanted) {
    int at = find(unwanted);
    V before = value(at);
    if (before != null) {
      size--;
      close(at);
      if (slots.length > LEAST && size * 5L < slots.length) {
        resize(slots.length / 2);
      }
    }
    return before;
  }

  /** Removes all values. */
  public void clear() {
    slots = new @Nullable Object[LEAST];
    shift = Integer.numberOfLeadingZeros(LEAST) + 1;
    size = 0;
  }

  /** Returns all values, in no order; a view that must not be used after a change. */
  public Collection<V> values() {
    return new Values();
  }

  /** Returns the slot of the key, or the free slot for it. */
  private int find(K wanted) {
    int at = home(wanted);
    while (true) {
      V there = value(at);
      if (there == null || key.apply(there).equals(wanted)) {
        return at;
      }
      at = after(at);
    }
  }

  private int home(K of) {
    return of.hashCode() * SPREAD >>> shift;
  }

  private int after(int at) {
    return at + 1 & slots.length - 1;
  }

  @SuppressWarnings("unchecked") // slots contain values only
  private @Nullable V value(int at) {
    return (V) slots[at];
  }

  /** Moves later values into a gap if that brings them nearer to their preferred slot. */
  private void close(int gap) {
    int hole = gap;
    int at = gap;
    while (true) {
      at = after(at);
      V there = value(at);
      if (there == null) {
        slots[hole] = null;
        return;
      }
      int mask = slots.length - 1;
      int wayThere = at - home(key.apply(there)) & mask;
      if (wayThere >= (at - hole & mask)) {
        slots[hole] = there;
        hole = at;
      }
    }
  }

  private void resize(int length) {
    Object[] old = slots;
    slots = new @Nullable Object[length];
    shift = Integer.numberOfLeadingZeros(length) + 1;
    for (int i = 0; i < old.length; i++) {
      if (old[i] != null) {
        @SuppressWarnings("unchecked") // slots contain values only
        V value = (V) old[i];
        slots[find(key.apply(value))] = value;
      }
    }
  }

  private final class Values extends AbstractCollection<V> {
    @Override
    public int size() {
      return size;
    }

    @Override
    public Iterator<V> iterator() {
      return new Iterator<>() {
        private final @Nullable Object[] all = slots;
        private int next = advance(0);

        @Override
        public boolean hasNext() {
          return next < all.length;
        }

        @Override
        public V next() {
          Object value = hasNext() ? all[next] : null;
          if (value == null) {
            throw new NoSuchElementException();
          }
          next = advance(next + 1);
          @SuppressWarnings("unchecked") // slots contain values only
          V typed = (V) value;
          return typed;
        }

        private int advance(int from) {
          int at = from;
          while (at < all.length && all[at] == null) {
            at++;
          }
          return at;
        }
      };
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(values().toArray());
  }
}
