package dev.vertlet.harness.run;

import dev.vertlet.agent.FailedException;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.harness.loopback.LoopbackPorts;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * An embedded API server in this process, on loopback, for whoever has its kubeconfig: its token is
 * made for this run, as everyone on the machine reaches the port.
 */
public final class EmbeddedCluster implements AutoCloseable {
  /** What the server looks after by itself: connections and objects share one event loop. */
  private static final int LOOPS = 1;

  private static final int TOKEN_BYTES = 16;

  private final EventLoops loops;
  private final Path kubeconfig;

  private EmbeddedCluster(EventLoops loops, Path kubeconfig) {
    this.loops = loops;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Starts one.
   *
   * @param port to listen on, 0 for a free one
   * @param dir for the kubeconfig
   * @throws FailedException when the port is taken
   */
  public static EmbeddedCluster start(int port, RunDir dir, Patience patience)
      throws InterruptedException {
    if (port != 0 && !LoopbackPorts.isFree(port)) {
      throw new FailedException(
          "--port %d is in use on 127.0.0.1; give another one, or none for any free one"
              .formatted(port));
    }
    ApiServerOptions options =
        ApiServerOptions.defaults().withPort(port).withTokens(token()).withRequestLog(0);
    EventLoops loops = EventLoops.open(LOOPS);
    EmbeddedApiServer server =
        loops.await(
            EmbeddedApiServer.start(loops.vertx(), options),
            patience,
            () -> "the embedded API server does not start");
    return new EmbeddedCluster(loops, dir.writeSecret("kubeconfig", server.kubeconfig()));
  }

  private static String token() {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** An administrator's kubeconfig. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    loops.close();
  }
}
