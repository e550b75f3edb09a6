package dev.vertlet.cri.stream;

import dev.vertlet.cri.stream.SpdyConnection.Stream;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.Connection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** One forwarded connection. */
final class PortSession {
  static final String PROTOCOL = "portforward.k8s.io";

  private static final int LONGEST_ERROR = 64 * 1024;

  private final SpdyConnection connection;
  private final int port;
  private final Connection client;
  private final Buffer error = Buffer.buffer();

  PortSession(SpdyConnection connection, int port, Connection client) {
    this.connection = connection;
    this.port = port;
    this.client = client;
  }

  /**
   * Runs the session. Called on the connection's loop.
   *
   * @return completes when both sides have ended; fails with the runtime's message
   */
  Future<Void> run() {
    OutputSink out = new OutputSink(connection, client.outgoing());
    Stream errors = open("error", this::error);
    Stream data = open("data", out::write);
    // nothing is ever sent on it
    errors.finish();
    InputPump.start(client.incoming(), connection, data);
    Promise<Void> result = Promise.promise();
    Future.join(data.end(), errors.end())
        .compose(ended -> out.written())
        .onComplete(
            written -> {
              if (error.length() > 0) {
                result.tryFail(
                    new ProviderException(
                        Kind.TEMPORARY,
                        "PortForwardFailed",
                        error.toString(StandardCharsets.UTF_8)));
              } else {
                client.outgoing().end().onComplete(done -> result.tryComplete());
              }
            });
    client.gone().onComplete(left -> connection.run(connection::close));
    return result.future().onComplete(done -> connection.run(connection::close));
  }

  private Stream open(String type, Consumer<Buffer> handler) {
    return connection.open(
        Map.of("streamtype", type, "port", Integer.toString(port), "requestid", "0"), handler);
  }

  private void error(Buffer data) {
    if (error.length() + data.length() <= LONGEST_ERROR) {
      error.appendBuffer(data);
    }
  }
}
