package dev.vertlet.apiserver;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;

/** The way from any thread onto the server's event loop and back. */
final class Loop {
  private final Context home;

  Loop(Context home) {
    this.home = home;
  }

  /**
   * Runs a task on the server's loop; its result arrives on the caller's context, if it has one.
   */
  <T> Future<T> call(Callable<T> task) {
    Context caller = Vertx.currentContext();
    Promise<T> promise = Promise.promise();
    home.runOnContext(
        here -> {
          Future<T> result = run(task);
          if (caller == null) {
            result.onComplete(promise);
          } else {
            caller.runOnContext(there -> result.onComplete(promise));
          }
        });
    return promise.future();
  }

  private static <T> Future<T> run(Callable<T> task) {
    try {
      return Future.succeededFuture(task.call());
    } catch (Exception e) {
      return Future.failedFuture(e); // the caller learns of it, nothing is lost
    }
  }
}
