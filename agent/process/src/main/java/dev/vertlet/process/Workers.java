package dev.vertlet.process;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.concurrent.Callable;

/** Runs work with files on worker threads, side by side. */
record Workers(Vertx vertx) {
  /** Work without a result. */
  interface IoWork {
    void run() throws IOException;
  }

  <T> Future<T> call(Callable<T> work) {
    return vertx.executeBlocking(work, false);
  }

  Future<Void> run(IoWork work) {
    return call(
        () -> {
          work.run();
          return null;
        });
  }
}
