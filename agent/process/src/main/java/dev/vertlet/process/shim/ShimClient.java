package dev.vertlet.process.shim;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;

/**
 * Connections to control sockets. One object for all shims of a runtime; handlers run on the
 * context from which a connection was opened.
 */
public final class ShimClient {
  private final NetClient client;

  public ShimClient(Vertx vertx) {
    this.client = vertx.createNetClient(new NetClientOptions());
  }

  /**
   * Connects, and sends the first message.
   *
   * @param handler receives every message of the shim
   * @param ended called once when the connection has ended, on whatever side, and its last message
   *     was handled; not while it is paused
   * @return fails when the shim is not there
   */
  public Future<NetSocket> open(
      Path socket, Message first, Handler<Message> handler, Handler<Void> ended) {
    return client
        .connect(SocketAddress.domainSocketAddress(socket.toString()))
        .map(
            connection -> {
              connection.exceptionHandler(failure -> connection.close());
              connection.endHandler(ended);
              connection.handler(new MessageParser(handler));
              connection.write(first.encode());
              return connection;
            });
  }

  /** Message that ends a container. */
  public static Message stop(long graceMillis) {
    return new Message(Message.STOP, Buffer.buffer().appendLong(graceMillis));
  }

  /** Message with the size of a client's terminal. */
  public static Message resize(int width, int height) {
    return new Message(
        Message.RESIZE, Buffer.buffer().appendUnsignedShort(width).appendUnsignedShort(height));
  }

  public Future<Void> close() {
    return client.close();
  }
}
