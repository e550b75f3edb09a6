package dev.vertlet.harness.run;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.ControllerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;

/** Embedded API server in this process, on loopback; clients need its kubeconfig. */
public final class EmbeddedCluster implements AutoCloseable {
  /** Number of event loops: connections and objects share one. */
  private static final int LOOPS = 1;

  /** Time limit of a stop, enough for a state file of 1 GB on a slow disk. */
  private static final int STOP_SECONDS = 30;

  private final EventLoops loops;
  private final EmbeddedApiServer server;
  private final Path kubeconfig;

  private EmbeddedCluster(EventLoops loops, EmbeddedApiServer server, Path kubeconfig) {
    this.loops = loops;
    this.server = server;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Starts the API server.
   *
   * @param port port to listen on, 0 for a free one
   * @param controllers controllers that run beside it
   * @throws FailedException when the port is taken or the state file corrupt
   */
  public static EmbeddedCluster start(
      int port, ControllerOptions controllers, ClusterFiles files, Patience patience)
      throws InterruptedException {
    if (port != 0 && !LoopbackPorts.isFree(port)) {
      throw new FailedException(
          "--port %d is in use on 127.0.0.1; give another one, or none for any free one"
              .formatted(port));
    }
    ApiServerOptions options =
        ApiServerOptions.defaults()
            .withPort(port)
            .withTokens(files.token())
            .withRequestLog(0)
            .withControllers(controllers);
    EventLoops loops = EventLoops.open(LOOPS);
    EmbeddedApiServer server =
        loops.await(
            EmbeddedApiServer.start(
                loops.vertx(), files.state().map(options::withStateFile).orElse(options)),
            patience,
            () -> "the embedded API server does not start");
    EmbeddedCluster cluster = new EmbeddedCluster(loops, server, files.kubeconfig());
    cluster.writeKubeconfig();
    return cluster;
  }

  private void writeKubeconfig() {
    try {
      Kubeconfig.writeSecret(kubeconfig, server.kubeconfig());
    } catch (IOException e) {
      close();
      throw new FailedException("cannot write " + kubeconfig + ": " + e.getMessage(), e);
    }
  }

  /** Kubeconfig of an administrator. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /**
   * Writes the state file a last time, if there is one, and stops the API server.
   *
   * @throws FailedException when the API server cannot be stopped or its state cannot be written
   */
  @Override
  public void close() {
    try {
      server.stop().await(STOP_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      throw new FailedException(
          "the embedded API server did not end within %d s".formatted(STOP_SECONDS), e);
    } catch (Exception e) {
      throw new FailedException(
          "the embedded API server did not end in order: " + e.getMessage(), e);
    } finally {
      loops.close();
    }
  }
}
