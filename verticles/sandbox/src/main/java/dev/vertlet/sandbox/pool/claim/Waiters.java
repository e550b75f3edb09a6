package dev.vertlet.sandbox.pool.claim;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.sandbox.SandboxPhases;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Watchers of sandbox changes. Confined to its loop. */
public final class Waiters {
  private final List<Consumer<Sandbox>> watchers = new ArrayList<>();

  public void tell(Sandbox sandbox) {
    List.copyOf(watchers).forEach(watcher -> watcher.accept(sandbox));
  }

  public Runnable watch(Consumer<Sandbox> watcher) {
    Consumer<Sandbox> own = watcher::accept; // a wrapper, so that one consumer may watch twice
    watchers.add(own);
    return () -> watchers.remove(own);
  }

  /**
   * Waits for a phase.
   *
   * @return completes with the sandbox in that phase, or stopping or ended, or in its latest state
   *     after {@code patience}
   */
  public Future<Sandbox> await(Sandbox now, String phase, Duration patience, CoreLoop loop) {
    if (isThere(now, phase) || patience.isZero()) {
      return Future.succeededFuture(now);
    }
    Promise<Sandbox> done = Promise.promise();
    Sandbox[] newest = {now};
    Runnable end =
        watch(
            sandbox -> {
              if (sandbox.id().equals(now.id())) {
                newest[0] = sandbox;
                if (isThere(sandbox, phase)) {
                  done.tryComplete(sandbox);
                }
              }
            });
    long timer = loop.setTimer(patience.toMillis(), () -> done.tryComplete(newest[0]));
    return done.future()
        .onComplete(
            over -> {
              end.run();
              loop.cancelTimer(timer);
            });
  }

  private static boolean isThere(Sandbox sandbox, String phase) {
    return sandbox.phase().equals(phase)
        || !sandbox.phase().equals(SandboxPhases.STARTING)
            && !sandbox.phase().equals(SandboxPhases.RUNNING);
  }
}
