package dev.vertlet.kube;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import io.vertx.core.http.impl.UnpooledHttpClientConnection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets all that one turn of the event loop writes to a connection leave in one piece. Vert.x
 * flushes each request by itself, and each flush is a TLS record and a system call; statuses and
 * lease renewals come in crowds.
 *
 * <p>Vert.x has no way to a connection's Netty channel from one that {@code
 * HttpClientAgent.connect} returned, so a private field is read. Where that fails, everything works
 * as it would without.
 */
final class OneFlush {
  private static final Logger LOG = LoggerFactory.getLogger(OneFlush.class);

  /** Frames that may wait for the end of a turn: two for each request of a full window. */
  private static final int FRAMES_PER_FLUSH = 256;

  private static final @Nullable VarHandle ACTUAL = actual();

  private OneFlush() {}

  /** Called on the connection's event loop. */
  static void install(HttpClientConnection connection) {
    if (ACTUAL != null
        && connection instanceof UnpooledHttpClientConnection
        && ACTUAL.get(connection) instanceof HttpClientConnectionInternal actual) {
      // before the HTTP/2 handler is where its frames go next, and before TLS encrypts them
      ChannelHandlerContext http2 = actual.channelHandlerContext();
      if (!http2.isRemoved()) { // as it is when the connection was lost at once
        http2
            .pipeline()
            .addBefore(http2.name(), null, new FlushConsolidationHandler(FRAMES_PER_FLUSH, true));
      }
    }
  }

  private static @Nullable VarHandle actual() {
    try {
      Class<?> type = UnpooledHttpClientConnection.class;
      return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
          .findVarHandle(type, "actual", HttpClientConnectionInternal.class);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("Requests are flushed one by one: {}", e.toString());
      return null;
    }
  }
}
