package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.websocket.WebSocketStream;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/** Where the events of a watch go: the body of an answer, or messages of a WebSocket. */
interface EventStream {

  /**
   * Begins.
   *
   * @param onDrain called whenever there is room again
   * @param onGone called when the client has gone
   */
  void open(Runnable onDrain, Runnable onGone);

  Future<Void> write(Buffer event);

  boolean isFull();

  /** Ends in good order. */
  Future<Void> end();

  /** Breaks off. */
  void cut();

  /** Breaks off, with all else that comes by the same connection. */
  void closeConnection();

  /** Events as the body of an answer. */
  static EventStream ofAnswer(Exchange exchange, String contentType) {
    HttpServerResponse response = exchange.response();
    return new EventStream() {
      @Override
      public void open(Runnable onDrain, Runnable onGone) {
        response
            .setStatusCode(200)
            .setChunked(true)
            .putHeader("content-type", contentType)
            .putHeader("cache-control", "no-cache, private");
        response.exceptionHandler(reset -> onGone.run());
        response.closeHandler(closed -> onGone.run());
        response.drainHandler(drained -> onDrain.run());
        response.writeHead().onFailure(gone -> onGone.run());
      }

      @Override
      public Future<Void> write(Buffer event) {
        return response.write(event);
      }

      @Override
      public boolean isFull() {
        return response.writeQueueFull();
      }

      @Override
      public Future<Void> end() {
        return response.end();
      }

      @Override
      public void cut() {
        exchange.reset();
      }

      @Override
      public void closeConnection() {
        exchange.closeConnection();
      }
    };
  }

  /** Events as messages. */
  static EventStream ofWebSocket(WebSocketStream socket) {
    return new EventStream() {
      @Override
      public void open(Runnable onDrain, Runnable onGone) {
        socket.closeHandler(closed -> onGone.run());
        socket.drainHandler(drained -> onDrain.run());
      }

      @Override
      public Future<Void> write(Buffer event) {
        return socket.write(event);
      }

      @Override
      public boolean isFull() {
        return socket.writeQueueFull();
      }

      @Override
      public Future<Void> end() {
        return socket.end();
      }

      @Override
      public void cut() {
        socket.cut();
      }

      @Override
      public void closeConnection() {
        socket.cut();
      }
    };
  }
}
