package dev.vertlet.streaming;

import static dev.vertlet.testsupport.Waits.get;
import static dev.vertlet.testsupport.Waits.take;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** The client's end of a WebSocket: messages as strings of bytes. */
final class Messages {
  /** One that only its connections know is closed by the garbage collector, and they with it. */
  final WebSocketClient client;

  private final WebSocket socket;
  private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
  final CompletableFuture<Integer> closed = new CompletableFuture<>();

  private Messages(WebSocketClient client, WebSocket socket) {
    this.client = client;
    this.socket = socket;
    socket.handler(bytes -> received.add(text(bytes)));
    socket.closeHandler(
        gone -> {
          Short code = socket.closeStatusCode();
          closed.complete(code == null ? -1 : code.intValue());
        });
  }

  static Messages of(Vertx vertx, WebSocketConnectOptions options) throws Exception {
    WebSocketClient client = vertx.createWebSocketClient();
    Promise<Messages> made = Promise.promise();
    // on one event loop, or what is short is over before anybody can listen
    vertx.runOnContext(
        v -> client.connect(options).map(socket -> new Messages(client, socket)).onComplete(made));
    return get(made.future());
  }

  private static String text(Buffer bytes) {
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  String subProtocol() {
    return socket.subProtocol();
  }

  String next() throws InterruptedException {
    String message = take(received);
    if (message == null) {
      throw new AssertionError("no message came");
    }
    return message;
  }

  void send(byte[] message) {
    socket.writeBinaryMessage(Buffer.buffer(message));
  }

  void send(String message) {
    send(message.getBytes(StandardCharsets.ISO_8859_1));
  }

  void sendText(String message) {
    socket.writeTextMessage(message);
  }

  int closeCode() throws Exception {
    return get(closed);
  }

  WebSocket socket() {
    return socket;
  }
}
