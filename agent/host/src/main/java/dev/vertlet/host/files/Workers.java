package dev.vertlet.host.files;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.concurrent.Callable;

/** Runs work with files on worker threads, side by side. */
public record Workers(Vertx vertx) {
  /** Work without a result. */
  public interface IoWork {
    void run() throws IOException;
  }

  /** Runs work with a result; the Future fails with what the work throws. */
  public <T> Future<T> call(Callable<T> work) {
    return vertx.executeBlocking(work, false);
  }

  /** Runs work without a result. */
  public Future<Void> run(IoWork work) {
    return call(
        () -> {
          work.run();
          return null;
        });
  }
}
