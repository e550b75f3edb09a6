package dev.vertlet.apiserver.event;

import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.control.Deadlines;
import dev.vertlet.apiserver.control.WorkQueue;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoreEvent;
import dev.vertlet.apiserver.store.StoredObject;
import java.time.Duration;

/**
 * Removes Events some time after they were last written, as the real server's {@code --event-ttl}
 * does. Events that are there at the start begin their time anew.
 */
public final class EventExpiry {
  private record Ref(String namespace, String name) {
    static Ref to(StoredObject event) {
      return new Ref(event.namespace(), event.name());
    }
  }

  private final Cluster cluster;
  private final Duration ttl;
  private final Resource events;
  private final Deadlines<Ref> expiries;
  private final WorkQueue<Ref> removals;

  /**
   * @param ttl from the last write of an Event to its removal
   */
  public EventExpiry(Cluster cluster, Duration ttl) {
    this.cluster = cluster;
    this.ttl = ttl;
    this.events = cluster.resource("events");
    this.removals = new WorkQueue<>(cluster, this::remove);
    this.expiries = new Deadlines<>(cluster.clock(), cluster, removals::add);
  }

  public void start() {
    cluster.follow(events, this::written, this::changed);
  }

  private void changed(StoreEvent change) {
    change.after().ifPresentOrElse(this::written, () -> expiries.remove(Ref.to(change.gone())));
  }

  private void written(StoredObject event) {
    expiries.put(Ref.to(event), cluster.clock().instant().plus(ttl));
  }

  private void remove(Ref ref) {
    if (!expiries.contains(ref)) { // else it was written again while it waited here
      cluster
          .find(events, ref.namespace(), ref.name())
          .ifPresent(event -> cluster.deleteNow(events, event));
    }
  }
}
