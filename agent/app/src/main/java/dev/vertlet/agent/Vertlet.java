package dev.vertlet.agent;

import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.provider.ProviderFactory;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An agent inside another program: its virtual nodes, and the pods on them, live from {@link #run}
 * to {@link #stop}. Runs once.
 *
 * <p>Several may run in one program; each needs an {@code agent.dataDir} and a {@code server.port}
 * of its own. The program keeps control of logging and signals. Methods that return a Future may be
 * called on any thread; handlers of these Futures are called on threads of the agent, which they
 * must not block. The other methods block.
 */
public final class Vertlet implements AutoCloseable {
  private final String config;
  private final List<ProviderFactory> providers;
  private final AgentHooks hooks;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CompletableFuture<Void> stopRequested = new CompletableFuture<>();
  private final Promise<Void> running = Promise.promise();
  private final Promise<Void> ready = Promise.promise();
  private final Promise<Void> done = Promise.promise();

  Vertlet(String config, List<ProviderFactory> providers, AgentHooks hooks) {
    this.config = config;
    this.providers = providers;
    this.hooks = hooks;
  }

  /**
   * Begins to build an agent.
   *
   * @param config as in the configuration file. Environment variables set nothing; {@code
   *     ${NODE_NAME}} is the host's name
   */
  public static VertletBuilder builder(String config) {
    return new VertletBuilder(config);
  }

  /**
   * Builds an agent, runs it, and waits until it runs, which is before its nodes are registered;
   * the agent waits for an absent API server in the background.
   *
   * @param config as for {@link #builder}
   * @param providers for {@code nodes[].provider}, besides those of {@code providers.directory}
   * @throws ConfigException with every mistake in the configuration
   * @throws FailedException when it cannot run: the data directory or the port is taken
   */
  public static Vertlet start(String config, ProviderFactory... providers)
      throws InterruptedException {
    return builder(config).withProviders(providers).start();
  }

  /** Returns when the future succeeds; throws its failure. */
  static void await(Future<Void> future) throws InterruptedException {
    try {
      future.toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      Throwable cause = Failures.unwrap(e);
      throw cause instanceof RuntimeException known
          ? known
          : new FailedException(Failures.line(cause), cause);
    }
  }

  /**
   * Starts the agent, which waits for an absent API server in the background.
   *
   * @return completes when the agent runs, which is before its nodes are registered; fails as
   *     {@link #done}
   * @throws IllegalStateException when it was called before, or after {@link #stop}
   */
  public Future<Void> run() {
    if (!begun.compareAndSet(false, true)) {
      throw new IllegalStateException("an agent runs once");
    }
    new Thread(this::live, "vertlet").start();
    return running.future();
  }

  /**
   * Completes when the agent is ready for the first time, as {@code /readyz} reports: its nodes are
   * registered, their Leases held, and their pods listed; adopted nodes only have to be listed.
   * Fails when the agent ends before, as {@link #done} if that fails.
   */
  public Future<Void> ready() {
    return ready.future();
  }

  /**
   * Completes when the agent has ended and released its data directory: after {@link #stop}, or by
   * itself when a node was assigned a config that only a new agent can run with.
   *
   * @return fails with the error that ended the agent: a {@link ConfigException} with every mistake
   *     in the configuration, or the reason why it cannot run, such as a port that is taken
   */
  public Future<Void> done() {
    return done.future();
  }

  /**
   * Ends the agent: finishes writes in flight, releases the Leases and leaves the pods running,
   * unless {@code agent.drainOnShutdown} ends them. Takes {@code agent.shutdownTimeout} at most. An
   * agent that did not run has ended at once.
   *
   * @return {@link #done}
   */
  public Future<Void> stop() {
    stopRequested.complete(null);
    if (begun.compareAndSet(false, true)) {
      end(null);
    }
    return done.future();
  }

  /** Runs the agent on a thread of its own, as its start and end block. */
  private void live() {
    Throwable failure = null;
    try (AgentSession session = open()) {
      CompletableFuture<Void> started = session.started();
      CompletableFuture.anyOf(started, stopRequested).get();
      if (started.isDone()) {
        started.get();
        running.complete();
      }
      CompletableFuture.anyOf(session.ended(), stopRequested).get();
      session.stop();
    } catch (ExecutionException e) {
      failure = Failures.unwrap(e);
    } catch (InterruptedException | RuntimeException | LinkageError e) {
      failure = e;
    }
    end(failure);
  }

  private AgentSession open() {
    LoadedConfig parsed =
        new ConfigLoader(new Environment(Map.of(), Host.detect()), ProviderCatalog.of(providers))
            .parse("configuration", config, List.of());
    return AgentSession.open(
        parsed,
        (checked, vertx, metrics, exit) ->
            Agent.start(checked, vertx, metrics, exit, hooks)
                .onSuccess(agent -> agent.ready().onSuccess(v -> ready.tryComplete())));
  }

  private void end(@Nullable Throwable failure) {
    Throwable early =
        failure == null ? VertxException.noStackTrace("the agent was stopped") : failure;
    running.tryFail(early);
    ready.tryFail(early);
    if (failure == null) {
      done.complete();
    } else {
      done.fail(failure);
    }
  }

  /**
   * Waits until the thread is interrupted. Returns earlier when the agent has ended by itself, as
   * {@link #done} describes: start another one.
   */
  public void awaitInterrupt() throws InterruptedException {
    await(done.future());
  }

  /** Ends the agent as {@link #stop} does and waits for it. Not for handlers of its Futures. */
  @Override
  public void close() {
    try {
      stop().toCompletionStage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      // known to the program from run or done
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
