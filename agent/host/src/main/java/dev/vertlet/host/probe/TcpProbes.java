package dev.vertlet.host.probe;

import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.probe.ProbeResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;

/** Opens connections, and closes them again. */
final class TcpProbes {
  private final Vertx vertx;

  TcpProbes(Vertx vertx) {
    this.vertx = vertx;
  }

  Future<ProbeResult> connect(HandlerView.TcpSocket tcp, String podIP, int seconds) {
    int port = number(tcp.port());
    String host = tcp.host().isEmpty() ? podIP : tcp.host();
    NetClient client =
        vertx.createNetClient(new NetClientOptions().setConnectTimeout(seconds * 1000));
    return client
        .connect(port, host)
        .compose(socket -> socket.close().map(ProbeResult.SUCCESS))
        .otherwise(
            failure ->
                ProbeResult.failure(
                    "dial tcp "
                        + host
                        + ":"
                        + tcp.port()
                        + ": "
                        + ConnectionFailures.reason(failure)))
        .onComplete(done -> client.close());
  }

  /** Returns a port's number; 0, to which no connection succeeds, for a name. */
  private static int number(String port) {
    try {
      int number = Integer.parseInt(port);
      return number > 0 && number < 65536 ? number : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
