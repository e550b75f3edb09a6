package dev.vertlet.harness.run;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.fault.FaultProxy;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;

/** A fault proxy with its own event loop. */
public final class ProxySession implements AutoCloseable {
  private static final int LOOPS = 1;
  private static final int STOP_SECONDS = 10;

  private final EventLoops loops;
  private final FaultProxy proxy;

  private ProxySession(EventLoops loops, FaultProxy proxy) {
    this.loops = loops;
    this.proxy = proxy;
  }

  /**
   * Starts a proxy.
   *
   * @param kubeconfig kubeconfig of the API server
   * @param dir directory for the proxy's kubeconfig
   * @param seed seed of the selection of requests for faults
   * @throws FailedException when the kubeconfig is unusable
   */
  public static ProxySession open(Path kubeconfig, RunDir dir, long seed, Patience patience)
      throws InterruptedException {
    EventLoops loops = EventLoops.open(LOOPS);
    Future<FaultProxy> proxy =
        FaultProxy.start(loops.vertx(), kubeconfig, dir.file(""), new SplittableRandom(seed));
    return new ProxySession(
        loops,
        loops.await(proxy, patience, () -> "the proxy before the API server does not start"));
  }

  public FaultProxy proxy() {
    return proxy;
  }

  @Override
  public void close() {
    try {
      proxy.stop().await(STOP_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      throw new FailedException("the event loop of the proxy does not turn", e);
    } finally {
      loops.close();
    }
  }
}
