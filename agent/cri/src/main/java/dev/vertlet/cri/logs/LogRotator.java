package dev.vertlet.cri.logs;

import dev.vertlet.host.files.Workers;
import dev.vertlet.host.logs.LogRotation;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rotates the logs of running containers, one after another, every 10 s as a kubelet does. Confined
 * to the shard's loop.
 */
public final class LogRotator {
  private static final Logger LOG = LoggerFactory.getLogger(LogRotator.class);

  /** A kubelet's containerLogMonitorInterval. */
  private static final long INTERVAL_MILLIS = 10_000;

  private final Vertx vertx;
  private final Workers workers;
  private final Clock clock;
  private final Supplier<List<Target>> targets;
  private final Function<String, Future<Void>> reopen;
  private final Limits limits;
  private @Nullable Future<Void> running;
  private long timer = -1;

  /**
   * When logs are rotated.
   *
   * @param bytes size of the file that grows
   * @param files of a log at most, the one that grows included; at least 2
   */
  public record Limits(long bytes, int files) {}

  /**
   * A running container.
   *
   * @param id without scheme
   * @param log path of the file that grows
   */
  public record Target(String id, Path log) {}

  /**
   * @param targets returns the running containers
   * @param reopen has the runtime open a new file for a container's log
   */
  public LogRotator(
      Vertx vertx,
      Clock clock,
      Supplier<List<Target>> targets,
      Function<String, Future<Void>> reopen,
      Limits limits) {
    this.vertx = vertx;
    this.workers = new Workers(vertx);
    this.clock = clock;
    this.targets = targets;
    this.reopen = reopen;
    this.limits = limits;
  }

  /** Begins to rotate. */
  public void start() {
    timer = vertx.setPeriodic(INTERVAL_MILLIS, due -> run());
  }

  /** Rotates no further log. */
  public void stop() {
    vertx.cancelTimer(timer);
    timer = -1;
  }

  /**
   * Looks at each log once. What fails is logged, and tried again the next time.
   *
   * @return succeeds when all were looked at
   */
  public Future<Void> run() {
    Future<Void> before = running;
    if (before != null) {
      return before;
    }
    Future<Void> all = Future.succeededFuture();
    for (Target target : targets.get()) {
      all = all.compose(done -> rotate(target).otherwise(failure -> log(target, failure)));
    }
    Future<Void> now = all.onComplete(done -> running = null);
    if (!now.isComplete()) {
      running = now;
    }
    return now;
  }

  private static @Nullable Void log(Target target, Throwable failure) {
    LOG.atWarn()
        .addKeyValue("container", target.id())
        .addKeyValue("log", target.log())
        .setCause(failure)
        .log("Log could not be rotated");
    return null;
  }

  private Future<Void> rotate(Target target) {
    LogRotation rotation = new LogRotation(target.log(), limits.files());
    return workers
        .call(rotation::size)
        .compose(
            size -> {
              if (size < 0) {
                // an agent ended when it had renamed the file
                return reopen.apply(target.id());
              }
              return size < limits.bytes() ? Future.succeededFuture() : rotate(target, rotation);
            });
  }

  private Future<Void> rotate(Target target, LogRotation rotation) {
    return workers
        .call(() -> rotation.rename(clock.instant()))
        .compose(
            renamed ->
                reopen
                    .apply(target.id())
                    .recover(
                        failure ->
                            workers
                                .run(() -> rotation.undo(renamed))
                                .transform(undone -> Future.failedFuture(failure))));
  }
}
