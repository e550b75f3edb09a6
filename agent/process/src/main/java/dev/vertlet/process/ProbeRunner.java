package dev.vertlet.process;

import dev.vertlet.model.HandlerView;
import dev.vertlet.provider.HookRequest;
import dev.vertlet.provider.ProbeRequest;
import dev.vertlet.provider.ProbeResult;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.util.List;

/** Performs probes and hooks of containers, each until its timeout. */
final class ProbeRunner {
  /** For hooks, which have no timeout of their own: as long as a kubelet lets a request take. */
  private static final int HOOK_SECONDS = 120;

  private final Vertx vertx;
  private final ProcessStreams streams;
  private final HttpProbes http;
  private final GrpcProbes grpc;

  ProbeRunner(Vertx vertx, ProcessStreams streams) {
    this.vertx = vertx;
    this.streams = streams;
    this.http = new HttpProbes(vertx);
    this.grpc = new GrpcProbes(vertx);
  }

  /** Probes a running container. */
  Future<ProbeResult> probe(ProbeRequest request, Instance instance) {
    int seconds = request.probe().timeoutSeconds();
    HandlerView handler = request.probe().handler();
    if (handler instanceof HandlerView.Exec exec) {
      return command(instance, exec.command(), seconds);
    }
    if (handler instanceof HandlerView.HttpGet get) {
      return http.get(get, request.podIP(), seconds);
    }
    if (handler instanceof HandlerView.TcpSocket tcp) {
      return tcp(tcp, request.podIP(), seconds);
    }
    if (handler instanceof HandlerView.Grpc call) {
      return grpc.check(call, request.podIP(), seconds);
    }
    return ProviderExceptions.unsupported("probe");
  }

  /** Runs a hook in a running container. */
  Future<Void> hook(HookRequest request, Instance instance) {
    HandlerView handler = request.handler();
    Future<ProbeResult> done;
    if (handler instanceof HandlerView.Exec exec) {
      OutputCollector output = new OutputCollector();
      return streams
          .exec(instance, exec.command(), false, output)
          .compose(
              code ->
                  code == 0
                      ? Future.succeededFuture()
                      : failed(
                          "command %s exited with %d: %s"
                              .formatted(exec.command(), code, output.text())));
    }
    if (handler instanceof HandlerView.HttpGet get) {
      done = http.get(get, request.podIP(), HOOK_SECONDS);
    } else if (handler instanceof HandlerView.TcpSocket tcp) {
      done = tcp(tcp, request.podIP(), HOOK_SECONDS);
    } else {
      return ProviderExceptions.unsupported("hook");
    }
    return done.compose(
        result ->
            result.outcome() == ProbeResult.Outcome.FAILURE
                ? failed(result.output())
                : Future.succeededFuture());
  }

  private static <T> Future<T> failed(String message) {
    return Future.failedFuture(new ProviderException(Kind.TEMPORARY, "HookFailed", message));
  }

  private Future<ProbeResult> command(Instance instance, List<String> command, int seconds) {
    OutputCollector output = new OutputCollector();
    long timer = vertx.setTimer(seconds * 1000L, over -> output.leave());
    return streams
        .exec(instance, command, false, output)
        .map(code -> code == 0 ? ProbeResult.SUCCESS : ProbeResult.failure(output.text()))
        .onComplete(done -> vertx.cancelTimer(timer));
  }

  private Future<ProbeResult> tcp(HandlerView.TcpSocket tcp, String podIP, int seconds) {
    int port = Ports.number(tcp.port());
    String host = tcp.host().isEmpty() ? podIP : tcp.host();
    NetClient client =
        vertx.createNetClient(new NetClientOptions().setConnectTimeout(seconds * 1000));
    return client
        .connect(port, host)
        .compose(socket -> socket.close().map(ProbeResult.SUCCESS))
        .otherwise(
            failure ->
                ProbeResult.failure(
                    "dial tcp " + host + ":" + tcp.port() + ": " + Ports.reason(failure)))
        .onComplete(done -> client.close());
  }
}
