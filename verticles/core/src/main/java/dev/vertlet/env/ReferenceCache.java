package dev.vertlet.env;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.model.reference.UnservedKind;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Caches the objects that pods refer to: each is read once however many pods refer to it, and
 * dropped with the last reference.
 *
 * @param <H> holder of references; compared with {@code equals}
 */
public final class ReferenceCache<H> {
  /**
   * How long a kubelet waits for the first reading of an object before a container's start fails.
   */
  static final long PATIENCE_MILLIS = 1_000;

  private final ReferenceSource source;
  private final Consumer<H> changed;
  private final Map<ReferredKey, Entry<H>> entries = new HashMap<>();
  private final Map<H, Set<ReferredKey>> held = new HashMap<>();

  private static final class Entry<H> {
    private final long askedAt;
    private final Set<H> holders = new LinkedHashSet<>();
    private @Nullable List<ReferredView> objects;

    Entry(long now) {
      askedAt = now;
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param changed called with each holder of an object when it was first read and when it changes
   */
  public ReferenceCache(ReferenceSource source, Consumer<H> changed) {
    this.source = source;
    this.changed = changed;
  }

  /** Starts the source. */
  public void start() {
    source.start(this::observed);
  }

  /** Drops all references and stops the source. */
  public void stop() {
    entries.keySet().forEach(source::leave);
    entries.clear();
    held.clear();
    source.stop();
  }

  /**
   * Replaces the references of a holder.
   *
   * @param now epoch milliseconds
   */
  public void hold(H holder, Set<ReferredKey> keys, long now) {
    Set<ReferredKey> before = held.getOrDefault(holder, Set.of());
    if (before.equals(keys)) {
      return;
    }
    for (ReferredKey key : keys) {
      if (!before.contains(key)) {
        add(holder, key, now);
      }
    }
    for (ReferredKey key : before) {
      if (!keys.contains(key)) {
        remove(holder, key);
      }
    }
    if (keys.isEmpty()) {
      held.remove(holder);
    } else {
      held.put(holder, keys);
    }
  }

  /** Drops all references of a holder. */
  public void release(H holder) {
    Set<ReferredKey> keys = held.remove(holder);
    if (keys != null) {
      keys.forEach(key -> remove(holder, key));
    }
  }

  /** Number of watched keys. */
  public int size() {
    return entries.size();
  }

  /** Returns the current reading; {@code now} is in epoch milliseconds. */
  public ReferenceState read(ReferredKey key, long now) {
    Entry<H> entry = entries.get(key);
    if (entry == null) {
      return new ReferenceState.Unavailable(
          "object \"" + key.namespace() + "\"/\"" + key.name() + "\" not registered");
    }
    if (entry.objects != null) {
      return entry.objects.stream().anyMatch(UnservedKind.class::isInstance)
          ? new ReferenceState.Unavailable(unserved(key))
          : new ReferenceState.Known(entry.objects);
    }
    long until = entry.askedAt + PATIENCE_MILLIS;
    return now < until
        ? new ReferenceState.Unread(until)
        : new ReferenceState.Unavailable(late(key));
  }

  private static String late(ReferredKey key) {
    return switch (key.kind()) {
      case SERVICE -> "services have not yet been read at least once, cannot construct envvars";
      case CLUSTER_TRUST_BUNDLE -> "ClusterTrustBundle informer has not yet synced";
      default ->
          "failed to sync " + key.kind().resource() + " cache: timed out waiting for the condition";
    };
  }

  /** What a kubelet says without the API, whose absence it takes for that of an API server. */
  private static String unserved(ReferredKey key) {
    return key.kind().kind() + " projection is not supported in static kubelet mode";
  }

  private void observed(ReferredKey key, List<ReferredView> objects) {
    Entry<H> entry = entries.get(key);
    if (entry != null) {
      entry.objects = objects;
      // the listener may drop references, also those of other holders
      for (H holder : List.copyOf(entry.holders)) {
        if (entry.holders.contains(holder)) {
          changed.accept(holder);
        }
      }
    }
  }

  private void add(H holder, ReferredKey key, long now) {
    Entry<H> entry = entries.get(key);
    if (entry == null) {
      entry = new Entry<>(now);
      entries.put(key, entry);
      source.follow(key);
    }
    entry.holders.add(holder);
  }

  private void remove(H holder, ReferredKey key) {
    Entry<H> entry = entries.get(key);
    if (entry != null && entry.holders.remove(holder) && entry.holders.isEmpty()) {
      entries.remove(key);
      source.leave(key);
    }
  }
}
