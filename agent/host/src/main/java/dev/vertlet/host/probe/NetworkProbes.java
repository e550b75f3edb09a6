package dev.vertlet.host.probe;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.probe.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * Performs probes and hooks that ask a container over the network: HTTP, TCP and gRPC. Answers as a
 * kubelet does, in the context that asks.
 */
public final class NetworkProbes {
  /** For hooks, which have no timeout of their own: as long as a kubelet lets a request take. */
  private static final int HOOK_SECONDS = 120;

  private final HttpProbes http;
  private final TcpProbes tcp;
  private final GrpcProbes grpc;

  /**
   * @param vertx whose clients connect; they are closed with it
   */
  public NetworkProbes(Vertx vertx) {
    this.http = new HttpProbes(vertx);
    this.tcp = new TcpProbes(vertx);
    this.grpc = new GrpcProbes(vertx);
  }

  /**
   * Performs a probe. What goes wrong is a result that says so.
   *
   * @param podIP address for handlers that name no host
   * @param seconds until it has failed, at least 1
   * @return fails with a {@link ProviderException} for a handler that is not one of the network
   */
  public Future<ProbeResult> probe(HandlerView handler, String podIP, int seconds) {
    if (handler instanceof HandlerView.HttpGet get) {
      return http.get(get, podIP, seconds);
    }
    if (handler instanceof HandlerView.TcpSocket socket) {
      return tcp.connect(socket, podIP, seconds);
    }
    if (handler instanceof HandlerView.Grpc call) {
      return grpc.check(call, podIP, seconds);
    }
    return unsupported("probe");
  }

  /**
   * Runs a hook, which Kubernetes has for HTTP and TCP, for 120 s at most.
   *
   * @param podIP address for handlers that name no host
   * @return fails with a {@link ProviderException} when the hook does, or if the handler is not one
   *     of these
   */
  public Future<Void> hook(HandlerView handler, String podIP) {
    if (handler instanceof HandlerView.HttpGet || handler instanceof HandlerView.TcpSocket) {
      return probe(handler, podIP, HOOK_SECONDS)
          .compose(
              result ->
                  result.outcome() == ProbeResult.Outcome.FAILURE
                      ? Future.failedFuture(
                          new ProviderException(Kind.TEMPORARY, "HookFailed", result.output()))
                      : Future.succeededFuture());
    }
    return unsupported("hook");
  }

  private static <T> Future<T> unsupported(String what) {
    return Future.failedFuture(
        new ProviderException(
            Kind.UNSUPPORTED, "HandlerUnsupported", "missing " + what + " handler"));
  }
}
