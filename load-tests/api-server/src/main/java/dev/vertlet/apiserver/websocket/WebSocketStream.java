package dev.vertlet.apiserver.websocket;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open WebSocket that this server writes to. What the client sends is not read, but for a
 * closing frame, which is answered, and pings. On the server's event loop.
 */
public final class WebSocketStream implements WriteStream<Buffer> {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketStream.class);

  private static final int FINAL = 0x80;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PONG = 10;

  /** Status 1000, everything is said. */
  private static final Buffer NORMAL = Buffer.buffer(new byte[] {0x03, (byte) 0xE8});

  private final NetSocket socket;
  private final String protocol;
  private int opcode = TEXT;
  private final List<Handler<Void>> closeHandlers = new ArrayList<>();
  private boolean closing;

  WebSocketStream(NetSocket socket, String protocol) {
    this.socket = socket;
    this.protocol = protocol;
  }

  void begin(Buffer head) {
    socket.exceptionHandler(e -> LOG.debug("the connection of a WebSocket broke", e));
    socket.closeHandler(closed -> closeHandlers.forEach(handler -> handler.handle(closed)));
    socket.handler(new ClientFrames(this::control)::take);
    send(head);
  }

  /** The subprotocol, empty for none. */
  public String protocol() {
    return protocol;
  }

  /** From now on messages are binary. */
  public WebSocketStream binary() {
    opcode = BINARY;
    return this;
  }

  private void control(int kind, Buffer content) {
    if (kind == CLOSE) {
      finish();
    } else {
      send(framed(PONG, content));
    }
  }

  private void send(Buffer bytes) {
    socket.write(bytes).onFailure(gone -> LOG.debug("the client of a WebSocket left", gone));
  }

  static Buffer framed(int opcode, Buffer content) {
    Buffer frame = Buffer.buffer().appendByte((byte) (FINAL | opcode));
    int length = content.length();
    if (length < 126) {
      frame.appendByte((byte) length);
    } else if (length < 1 << 16) {
      frame.appendByte((byte) 126).appendUnsignedShort(length);
    } else {
      frame.appendByte((byte) 127).appendLong(length);
    }
    return frame.appendBuffer(content);
  }

  /** Sends one message. */
  @Override
  public Future<Void> write(Buffer message) {
    return socket.write(framed(opcode, message));
  }

  /** Says that all is said, and closes. */
  @Override
  public Future<Void> end() {
    return finish();
  }

  private Future<Void> finish() {
    if (closing) {
      return Future.succeededFuture();
    }
    closing = true;
    return socket.write(framed(CLOSE, NORMAL)).eventually(() -> socket.close());
  }

  /** Breaks the connection without a word. */
  public void cut() {
    closing = true;
    socket.close().onFailure(e -> LOG.debug("the connection was closed already", e));
  }

  /** Adds what is called when the connection has gone, whoever ended it. */
  public WebSocketStream closeHandler(Handler<Void> handler) {
    closeHandlers.add(handler);
    return this;
  }

  @Override
  public WebSocketStream exceptionHandler(@Nullable Handler<Throwable> handler) {
    socket.exceptionHandler(handler);
    return this;
  }

  @Override
  public WebSocketStream setWriteQueueMaxSize(int maxSize) {
    socket.setWriteQueueMaxSize(maxSize);
    return this;
  }

  @Override
  public boolean writeQueueFull() {
    return socket.writeQueueFull();
  }

  @Override
  public WebSocketStream drainHandler(@Nullable Handler<Void> handler) {
    socket.drainHandler(handler);
    return this;
  }
}
