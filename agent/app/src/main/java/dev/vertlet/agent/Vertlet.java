package dev.vertlet.agent;

import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.model.PodView;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.pods.PodSource;
import dev.vertlet.provider.ProviderFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/**
 * An agent inside another program: its virtual nodes, and the pods on them, live as long as this
 * object is open. For a thread that may block.
 *
 * <p>Several may run in one program; each needs an {@code agent.dataDir} and a {@code server.port}
 * of its own. The program keeps control of logging and signals.
 */
public final class Vertlet implements AutoCloseable {
  private final AgentSession session;

  private Vertlet(AgentSession session) {
    this.session = session;
  }

  /**
   * Starts an agent and waits until it runs, which is before its nodes are registered; waits for an
   * absent API server in the background.
   *
   * @param config as in the configuration file. Environment variables set nothing; {@code
   *     ${NODE_NAME}} is the host's name
   * @param providers for {@code nodes[].provider}, besides those of {@code providers.directory}
   * @throws ConfigException with every mistake in the configuration
   * @throws FailedException when it cannot run: the data directory or the port is taken
   */
  public static Vertlet start(String config, ProviderFactory... providers)
      throws InterruptedException {
    return run(config, PodOrigin.WATCH, providers);
  }

  /**
   * Starts an agent as {@link #start} does, but without a watch for pods: the program feeds it the
   * pods from its own watch, which can serve other purposes, too.
   */
  public static Vertlet fed(String config, PodSource pods, ProviderFactory... providers)
      throws InterruptedException {
    return run(config, PodOrigin.fed(pods), providers);
  }

  /**
   * Starts an agent as {@link #start} does, for those pods on its nodes that {@code filter}
   * accepts. The agent ignores all others, which another program may run.
   *
   * @param filter called with every state of every pod; a pod that it refuses later counts as gone.
   *     Must not block; an exception accepts the pod
   */
  public static Vertlet filtered(
      String config, Predicate<PodView> filter, ProviderFactory... providers)
      throws InterruptedException {
    return run(config, PodOrigin.filtered(filter), providers);
  }

  private static Vertlet run(String config, PodOrigin pods, ProviderFactory... providers)
      throws InterruptedException {
    LoadedConfig parsed =
        new ConfigLoader(
                new Environment(Map.of(), Host.detect()), ProviderCatalog.of(List.of(providers)))
            .parse("configuration", config, List.of());
    AgentSession session =
        AgentSession.open(
            parsed,
            (checked, vertx, metrics, exit) -> Agent.start(checked, vertx, metrics, exit, pods));
    try {
      session.started().get();
      return new Vertlet(session);
    } catch (ExecutionException e) {
      session.close();
      throw failure(e);
    } catch (InterruptedException e) {
      session.close();
      throw e;
    }
  }

  private static RuntimeException failure(ExecutionException e) {
    Throwable cause = Failures.unwrap(e);
    return cause instanceof RuntimeException known
        ? known
        : new FailedException(Failures.line(cause), cause);
  }

  /**
   * Waits until the thread is interrupted. Returns earlier when a node was assigned a config that
   * only a new agent can run with: close this one and start another.
   */
  public void awaitInterrupt() throws InterruptedException {
    try {
      session.ended().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("nobody fails it", e);
    }
  }

  /**
   * Finishes writes in flight, releases the Leases and leaves the pods running, unless {@code
   * agent.drainOnShutdown} ends them. Takes {@code agent.shutdownTimeout} at most.
   */
  @Override
  public void close() {
    try {
      session.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      session.close();
    }
  }
}
