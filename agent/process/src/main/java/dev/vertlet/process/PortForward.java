package dev.vertlet.process;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.Connection;
import io.netty.channel.socket.DuplexChannel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;

/** Connects clients to ports on the host's loopback addresses. */
final class PortForward {
  private final NetClient client;

  PortForward(Vertx vertx) {
    this.client = vertx.createNetClient();
  }

  /** Forwards one connection; completes when it is closed on both sides. */
  Future<Void> forward(String pod, int port, Connection connection) {
    return client
        .connect(port, "127.0.0.1")
        .recover(refused -> client.connect(port, "::1"))
        .recover(
            refused ->
                Future.failedFuture(
                    new ProviderException(
                        Kind.TEMPORARY,
                        "PortForwardFailed",
                        "failed to connect to localhost:%d of pod %s: connection refused"
                            .formatted(port, pod))))
        .compose(socket -> pump(socket, connection));
  }

  private static Future<Void> pump(NetSocket socket, Connection connection) {
    Promise<Void> closed = Promise.promise();
    socket.exceptionHandler(failure -> socket.close());
    connection
        .gone()
        .onComplete(
            left -> {
              socket.close();
              closed.tryComplete();
            });
    WriteStream<Buffer> outgoing = connection.outgoing();
    // a socket that is paused has data after its close
    socket.endHandler(ended -> outgoing.end().onComplete(sent -> closed.tryComplete()));
    copy(socket, outgoing, () -> socket.close());
    ReadStream<Buffer> incoming = connection.incoming();
    incoming.endHandler(ended -> endOutput(socket));
    copy(incoming, socket, () -> socket.close());
    return closed.future();
  }

  /** Tells the program that its client has sent everything; its answer is still read. */
  private static void endOutput(NetSocket socket) {
    if (socket instanceof NetSocketInternal internal
        && internal.channelHandlerContext().channel() instanceof DuplexChannel channel) {
      channel.shutdownOutput();
    }
  }

  private static void copy(ReadStream<Buffer> from, WriteStream<Buffer> to, Runnable broken) {
    from.handler(
        data -> {
          Future<Void> written = to.write(data);
          written.onFailure(failure -> broken.run());
          if (to.writeQueueFull()) {
            from.pause();
            to.drainHandler(drained -> from.resume());
            written.onComplete(result -> from.resume());
          }
        });
  }
}
