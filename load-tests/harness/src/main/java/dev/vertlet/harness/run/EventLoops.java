package dev.vertlet.harness.run;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Vert.x instance with few threads; closing it also closes everything deployed on it. */
public final class EventLoops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);
  private static final int CLOSE_SECONDS = 5;
  private static final int SETTLE_SECONDS = 2;
  private static final int WORKERS = 2;

  private final Vertx vertx;

  private EventLoops(Vertx vertx) {
    this.vertx = vertx;
  }

  public static EventLoops open(int loops) {
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

  public Vertx vertx() {
    return vertx;
  }

  /**
   * Waits for a component to start on these loops. If the wait fails, closes the loops, but first
   * gives the start 2 s to finish: a half-started component cannot be stopped cleanly.
   */
  public <T> T await(Future<T> starting, Patience patience, Supplier<String> missing)
      throws InterruptedException {
    try {
      return patience.await(starting.toCompletionStage(), missing);
    } catch (RuntimeException e) {
      settle(starting);
      close();
      throw e;
    }
  }

  private static void settle(Future<?> starting) {
    try {
      starting.otherwiseEmpty().await(SETTLE_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      LOG.debug("closed while it was still starting");
    }
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
