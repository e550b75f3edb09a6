package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.websocket.WebSocketStream;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log as messages of a WebSocket: binary ones, or base64 in texts where the subprotocol says so.
 * An empty one comes first, as from the real server.
 */
final class LogMessages implements WriteStream<Buffer> {
  private static final Logger LOG = LoggerFactory.getLogger(LogMessages.class);

  private static final String BASE64 = "base64.binary.k8s.io";

  private final WebSocketStream socket;
  private final boolean base64;

  LogMessages(WebSocketStream socket) {
    this.base64 = socket.protocol().equals(BASE64);
    this.socket = base64 ? socket : socket.binary();
    socket.write(Buffer.buffer()).onFailure(gone -> LOG.debug("the reader of a log left", gone));
  }

  @Override
  public Future<Void> write(Buffer bytes) {
    return socket.write(
        base64 ? Buffer.buffer(Base64.getEncoder().encode(bytes.getBytes())) : bytes);
  }

  @Override
  public Future<Void> end() {
    return socket.end();
  }

  @Override
  public LogMessages exceptionHandler(@Nullable Handler<Throwable> handler) {
    socket.exceptionHandler(handler);
    return this;
  }

  @Override
  public LogMessages setWriteQueueMaxSize(int maxSize) {
    socket.setWriteQueueMaxSize(maxSize);
    return this;
  }

  @Override
  public boolean writeQueueFull() {
    return socket.writeQueueFull();
  }

  @Override
  public LogMessages drainHandler(@Nullable Handler<Void> handler) {
    socket.drainHandler(handler);
    return this;
  }
}
