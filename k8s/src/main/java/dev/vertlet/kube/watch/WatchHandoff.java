package dev.vertlet.kube.watch;

import dev.vertlet.model.KubeObject;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;

/**
 * Calls a listener on its own context: directly if that is on the current event loop, else queued.
 * Keeps the order either way. Delivers nothing after {@link #stop}.
 */
final class WatchHandoff<T extends KubeObject> implements ReflectorListener<T> {
  private final ContextInternal context;
  private final ReflectorListener<T> listener;
  private boolean stopped;

  WatchHandoff(ContextInternal context, ReflectorListener<T> listener) {
    this.context = context;
    this.listener = listener;
  }

  /** Completes {@code done} on the listener's context, after the last delivery. */
  void stop(Promise<Void> done) {
    context.emit(
        done,
        d -> {
          stopped = true;
          d.complete();
        });
  }

  @Override
  public void upserted(T object) {
    hand(() -> listener.upserted(object));
  }

  @Override
  public void deleted(Tombstone object) {
    hand(() -> listener.deleted(object));
  }

  @Override
  public void synced() {
    hand(listener::synced);
  }

  @Override
  public void relisted(Duration unwatched) {
    hand(() -> listener.relisted(unwatched));
  }

  private void hand(Runnable delivery) {
    context.emit(
        delivery,
        d -> {
          if (!stopped) {
            d.run();
          }
        });
  }
}
