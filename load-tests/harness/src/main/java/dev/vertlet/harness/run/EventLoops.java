package dev.vertlet.harness.run;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Vert.x of few threads, closed with all that runs on it. */
final class EventLoops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);
  private static final int CLOSE_SECONDS = 5;
  private static final int WORKERS = 2;

  private final Vertx vertx;

  private EventLoops(Vertx vertx) {
    this.vertx = vertx;
  }

  static EventLoops open(int loops) {
    return new EventLoops(
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(WORKERS)
                .setInternalBlockingPoolSize(WORKERS)
                .setPreferNativeTransport(true)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false))));
  }

  Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    try {
      vertx.close().await(CLOSE_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("event loops did not close within {} s", CLOSE_SECONDS);
    }
  }
}
