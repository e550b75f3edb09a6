package dev.vertlet.kube.client;

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
 * Combines all writes to a connection within one turn of the event loop into one flush. Vert.x
 * flushes each request by itself, and each flush costs a TLS record and a system call; statuses and
 * lease renewals come in bursts.
 *
 * <p>Vert.x offers no access to the Netty channel of a connection from {@code
 * HttpClientAgent.connect}, so a private field is read. If that fails, each request is flushed by
 * itself.
 */
final class FlushCoalescer {
  private static final Logger LOG = LoggerFactory.getLogger(FlushCoalescer.class);

  /** Frames that may wait for the end of a turn: two for each request of a full window. */
  private static final int FRAMES_PER_FLUSH = 256;

  private static final @Nullable VarHandle ACTUAL = actual();

  private FlushCoalescer() {}

  /** Called on the connection's event loop. */
  static void install(HttpClientConnection connection) {
    if (ACTUAL != null
        && connection instanceof UnpooledHttpClientConnection
        && ACTUAL.get(connection) instanceof HttpClientConnectionInternal actual) {
      // before the HTTP/2 handler, which writes its frames to the next handler, and ahead of TLS
      ChannelHandlerContext http2 = actual.channelHandlerContext();
      if (!http2.isRemoved()) { // a connection that was lost immediately has none
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
