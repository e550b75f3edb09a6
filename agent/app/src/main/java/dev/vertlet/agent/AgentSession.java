package dev.vertlet.agent;

import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.model.GoDuration;
import dev.vertlet.tracing.Tracing;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent in this process with its resources: the lock of its data directory, metrics and event
 * loops. For a thread that may block; stop it, then close it.
 */
public final class AgentSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);

  /** Part of agent.shutdownTimeout for closing the event loops. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  private final VertletConfig config;
  private final DataDir dir;
  private final @Nullable DataDir configs;
  private final Metrics metrics;
  private final @Nullable Tracing tracing;
  private final Vertx vertx;
  private final CompletableFuture<AgentRunner.Running> started = new CompletableFuture<>();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  private AgentSession(VertletConfig config, DataDir dir, @Nullable DataDir configs) {
    this.config = config;
    this.dir = dir;
    this.configs = configs;
    BuildInfo build = BuildInfo.get();
    this.metrics = new Metrics(build.version(), build.commit(), BuildInfo.KUBERNETES);
    this.tracing = config.tracing().enabled() ? Tracing.open(config.tracing()) : null;
    this.vertx = AgentVertx.create(config, metrics, tracing);
  }

  /**
   * Takes the data directory and starts an agent in the background.
   *
   * @throws FailedException when another process has the data directory or it cannot be written
   */
  public static AgentSession open(LoadedConfig loaded) {
    return open(loaded, Agent::start);
  }

  static AgentSession open(LoadedConfig loaded, AgentRunner runner) {
    VertletConfig config = loaded.config();
    DataDir dir =
        DataDir.take(DataDir.Use.DATA, config.agent().dataDir(), config.agent().identity());
    AgentSession session;
    try {
      session = new AgentSession(config, dir, configs(config));
    } catch (FailedException e) {
      dir.close();
      throw e;
    }
    runner
        .start(
            loaded, session.vertx, session.metrics.registry(), () -> session.ended.complete(null))
        .onComplete(session.started::complete, session.started::completeExceptionally);
    return session;
  }

  /**
   * Completes when the agent runs, which is before its nodes are registered; fails when its
   * configuration cannot be used: unreadable kubeconfig, port taken.
   */
  public CompletableFuture<Void> started() {
    return started.thenAccept(running -> {});
  }

  /** Takes the directory of dynamic configs, unless the lock of the data directory covers it. */
  private static @Nullable DataDir configs(VertletConfig config) {
    Path data = config.agent().dataDir().toAbsolutePath().normalize();
    Path configs = config.configSync().dynamicConfigDir().normalize();
    return !config.configSync().enabled() || configs.startsWith(data)
        ? null
        : DataDir.take(DataDir.Use.CONFIGS, configs, config.agent().identity());
  }

  /** Completes when the agent has to stop so that the next process runs with another config. */
  public CompletableFuture<Void> ended() {
    return ended;
  }

  /**
   * Finishes writes in flight and releases the Leases; pods are left running, unless {@code
   * agent.drainOnShutdown} ends them. Takes {@code agent.shutdownTimeout} at most. Waits for a
   * start that is still under way, because it may have taken leases already; does nothing after a
   * start that failed.
   *
   * @return false when the stop failed, which is logged
   */
  public boolean stop() throws InterruptedException {
    if (started.isCompletedExceptionally()) {
      return true;
    }
    LOG.info("stopping");
    Duration timeout = config.agent().shutdownTimeout().minus(CLOSE_TIMEOUT);
    try {
      started
          .thenCompose(running -> running.stop().toCompletionStage())
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      LOG.info("stopped");
      return true;
    } catch (TimeoutException e) {
      LOG.atWarn()
          .setMessage("gave up waiting for writes and leases")
          .addKeyValue("shutdownTimeout", GoDuration.format(timeout))
          .log();
      return true;
    } catch (ExecutionException e) {
      LOG.atError().setMessage("the stop failed").addKeyValue("error", Failures.line(e)).log();
      return false;
    }
  }

  /** Closes the event loops, stopped or not, and releases the data directory. */
  @Override
  public void close() {
    try (dir;
        configs;
        metrics;
        tracing) {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.atWarn()
          .setMessage("event loops did not close in order")
          .addKeyValue("error", Failures.line(e))
          .log();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
