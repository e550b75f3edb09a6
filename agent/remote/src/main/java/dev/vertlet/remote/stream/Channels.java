package dev.vertlet.remote.stream;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.streams.ReadStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of a WebSocket in Kubernetes' framing {@code v5.channel.k8s.io}: each message
 * begins with the number of its channel; a message on channel 255 closes the channel that it names.
 */
final class Channels {
  static final int IN = 0;
  static final int OUT = 1;
  static final int ERR = 2;
  static final int ERROR = 3;
  static final int RESIZE = 4;
  private static final int CLOSE = 255;

  /** Close status of a connection that ended without one (RFC 6455, 7.1.5). */
  private static final short BROKEN = 1006;

  /** Buffers of a client that are under way: enough to keep a connection busy. */
  private static final int WINDOW = 8;

  private static final int NONE = -1;

  /** Receives the messages of the other end, piece by piece. */
  interface Reader {
    /** Part of the data of a channel. */
    void data(int channel, Buffer bytes);

    /** No data follows on this channel. */
    void closed(int channel);
  }

  private final WebSocket socket;
  private final Reader reader;
  private int channel = NONE;

  /** The message is a text, which has no channel. */
  private boolean ignored;

  /**
   * @param socket paused; its frames flow from now on
   * @param ended called when the socket is closed and its last message was handled, with a text if
   *     it broke off; may be called again
   */
  Channels(WebSocket socket, Reader reader, Consumer<String> ended) {
    this.socket = socket;
    this.reader = reader;
    socket.frameHandler(this::frame);
    socket.exceptionHandler(cause -> ended.accept(String.valueOf(cause.getMessage())));
    // in its turn behind messages for which a full client has paused the socket
    socket.endHandler(end -> ended.accept(""));
    socket.closeHandler(
        closed -> {
          if (socket.closeStatusCode() == null || socket.closeStatusCode() == BROKEN) {
            ended.accept("the connection broke off");
          }
        });
  }

  private void frame(WebSocketFrame frame) {
    if (!frame.isContinuation()) {
      ignored = !frame.isBinary();
    }
    if (ignored) {
      return;
    }
    Buffer bytes = frame.binaryData();
    if (channel == NONE && bytes.length() > 0) {
      channel = bytes.getByte(0) & 0xff;
      bytes = bytes.slice(1, bytes.length());
    }
    if (channel == CLOSE && bytes.length() > 0) {
      reader.closed(bytes.getByte(0) & 0xff);
    } else if (channel != CLOSE && channel != NONE && bytes.length() > 0) {
      reader.data(channel, bytes);
    }
    if (frame.isFinal()) {
      channel = NONE;
    }
  }

  /** Sends data on a channel. Completes when it has left the socket's queue. */
  Future<Void> send(int to, Buffer data) {
    Buffer message = Buffer.buffer(1 + data.length()).appendByte((byte) to).appendBuffer(data);
    return socket.writeBinaryMessage(message);
  }

  /** Closes the own side of a channel. */
  void close(int of) {
    Future<Void> unused = send(CLOSE, Buffer.buffer(new byte[] {(byte) of}));
  }

  /**
   * Sends everything that a stream has, no faster than the other end takes it. The stream belongs
   * to another loop: a window needs no pause, which might overtake a resume.
   */
  void feed(int to, @Nullable ReadStream<Buffer> from) {
    if (from == null) {
      return;
    }
    from.pause();
    from.exceptionHandler(gone -> {});
    from.endHandler(end -> close(to));
    from.handler(data -> send(to, data).onComplete(sent -> from.fetch(1)));
    from.fetch(WINDOW);
  }

  /** Closes the connection. */
  void close() {
    Future<Void> unused = socket.close();
  }
}
