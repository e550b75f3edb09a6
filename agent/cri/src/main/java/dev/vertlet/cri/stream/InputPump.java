package dev.vertlet.cri.stream;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;

/** Sends what a client writes to a stream of a connection, no faster than the runtime takes it. */
final class InputPump {
  private InputPump() {}

  /**
   * Begins to send.
   *
   * @param source ends when the client has sent everything
   */
  static void start(
      ReadStream<Buffer> source, SpdyConnection connection, SpdyConnection.Stream target) {
    source.exceptionHandler(failure -> connection.run(connection::close));
    source.endHandler(ended -> connection.run(target::finish));
    source.handler(
        data -> {
          source.pause();
          connection.run(() -> target.send(data).onComplete(sent -> source.resume()));
        });
  }
}
