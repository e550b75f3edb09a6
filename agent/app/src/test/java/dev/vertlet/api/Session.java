package dev.vertlet.api;

import static dev.vertlet.testsupport.Waits.get;

import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A client's session in a WebSocket of version 5, and what came on each channel so far. */
record Session(WebSocket socket, Map<Integer, Buffer> channels, Promise<Void> closed) {
  private static final int ERROR = 3;

  /** Opens one with a right to do so; version 4 where there is no other. */
  static Session open(ServerLab lab, String path) throws Exception {
    WebSocketConnectOptions options =
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(lab.port("n0"))
            .setURI(path)
            .addHeader("Authorization", "Bearer good")
            .setSubProtocols(List.of("v5.channel.k8s.io", "v4.channel.k8s.io"));
    ClientWebSocket socket = lab.webSockets().webSocket();
    Session session = of(socket); // hears all, as what it is told may come with the connection
    return get(socket.connect(options).map(session));
  }

  private static Session of(WebSocket socket) {
    Session session = new Session(socket, new ConcurrentHashMap<>(), Promise.promise());
    socket.binaryMessageHandler(
        message ->
            session
                .channels
                .computeIfAbsent((int) message.getByte(0), channel -> Buffer.buffer())
                .appendBuffer(message, 1, message.length() - 1));
    socket.closeHandler(v -> session.closed.complete());
    return session;
  }

  void send(int channel, Buffer bytes) {
    socket.writeBinaryMessage(Buffer.buffer().appendByte((byte) channel).appendBuffer(bytes));
  }

  void ended() throws Exception {
    get(closed.future());
  }

  /** Once the connection is closed. */
  String error() throws Exception {
    ended();
    return text(ERROR);
  }

  Buffer bytes(int channel) {
    return channels.getOrDefault(channel, Buffer.buffer());
  }

  String text(int channel) {
    return bytes(channel).toString();
  }
}
