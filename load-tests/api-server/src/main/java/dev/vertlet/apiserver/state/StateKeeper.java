package dev.vertlet.apiserver.state;

import dev.vertlet.apiserver.store.ObjectStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the state file when the store has changed: at most once per interval, never for more than
 * a tenth of the time, and once more at the end. Used on the server's event loop, which takes the
 * snapshot; a worker writes it.
 */
public final class StateKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(StateKeeper.class);
  private static final int MOST_SHARE_OF_TIME = 10;

  private final Vertx vertx;
  private final ObjectStore store;
  private final StateFile file;
  private final Map<String, String> secrets;
  private final Duration interval;
  private long written = -1;
  private long timer = -1;
  private boolean closed;
  private Future<Void> writing = Future.succeededFuture();

  /**
   * @param secrets kept with every snapshot
   * @param interval shortest pause between two writes
   */
  public StateKeeper(
      Vertx vertx,
      ObjectStore store,
      StateFile file,
      Map<String, String> secrets,
      Duration interval) {
    this.vertx = vertx;
    this.store = store;
    this.file = file;
    this.secrets = Map.copyOf(secrets);
    this.interval = interval;
  }

  /** Begins to look for changes. */
  public void start() {
    arm(interval.toMillis());
  }

  private void arm(long millis) {
    if (!closed) {
      timer = vertx.setTimer(millis, fired -> look());
    }
  }

  private void look() {
    long start = System.nanoTime();
    save()
        .onComplete(
            done -> {
              long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
              arm(Math.max(interval.toMillis(), took * MOST_SHARE_OF_TIME));
            });
  }

  private Future<Void> save() {
    if (store.revision() == written) {
      return Future.succeededFuture();
    }
    Snapshot snapshot = new Snapshot(store.revision(), store.contents(), secrets);
    writing =
        vertx
            .<Boolean>executeBlocking(
                () -> {
                  file.write(snapshot);
                  return true;
                },
                false)
            .onSuccess(done -> written = snapshot.revision())
            .onFailure(e -> LOG.error("the state file could not be written", e))
            .mapEmpty();
    return writing;
  }

  /** Writes what has not been written yet; fails when that is not possible. */
  public Future<Void> close() {
    closed = true;
    vertx.cancelTimer(timer);
    return writing.transform(any -> save());
  }
}
