package dev.vertlet.harness.replay.life;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;

/**
 * Start of a replay's clock. What exists when the recording begins is made before; pods with times
 * that count from then wait for it. Thread-safe.
 */
public final class ReplayClock {
  private final CompletableFuture<Void> started = new CompletableFuture<>();

  /** Starts the clock; does nothing if it runs. */
  public void start() {
    started.complete(null);
  }

  /** Completes when the clock has started, on the context of the caller; never fails. */
  Future<Void> started(Vertx vertx) {
    return Future.fromCompletionStage(started, vertx.getOrCreateContext());
  }

  boolean running() {
    return started.isDone();
  }
}
