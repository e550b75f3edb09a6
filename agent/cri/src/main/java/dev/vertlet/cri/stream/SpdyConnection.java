package dev.vertlet.cri.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyHeadersFrame;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client side of SPDY/3.1. Confined to the loop on which it was opened, except {@link #run}.
 *
 * <p>The servers of container runtimes neither respect flow control windows nor announce theirs:
 * TCP limits the data in both directions, so that all streams wait for the slowest reader. No
 * WINDOW_UPDATE is sent: a server that closes the connection before it has read one resets it, and
 * what the client has not read yet would be lost.
 */
final class SpdyConnection {
  private static final Logger LOG = LoggerFactory.getLogger(SpdyConnection.class);

  private static final int LARGEST_FRAME = 64 * 1024;
  private static final int LONGEST_HEADERS = 16 * 1024;
  private static final int IDS_APART = 2;

  private final Context context;
  private final NetSocket socket;
  private final EmbeddedChannel codec =
      new EmbeddedChannel(
          new SpdyFrameCodec(SpdyVersion.SPDY_3_1, LARGEST_FRAME, LONGEST_HEADERS, 6, 15, 8));
  private final Map<Integer, Stream> streams = new HashMap<>();
  private final Promise<Void> ended = Promise.promise();
  private int next = 1;
  private int full;

  /** One stream. */
  final class Stream {
    private final int id;
    private final Consumer<Buffer> data;
    private final Promise<Void> end = Promise.promise();

    private Stream(int id, Consumer<Buffer> data) {
      this.id = id;
      this.data = data;
    }

    /** Completes when the server has sent everything, has reset the stream, or has gone. */
    Future<Void> end() {
      return end.future();
    }

    /** Sends data; completes when TCP has taken it. */
    Future<Void> send(Buffer bytes) {
      return write(new DefaultSpdyDataFrame(id, Unpooled.wrappedBuffer(bytes.getBytes())));
    }

    /** Tells the server that everything was sent. */
    Future<Void> finish() {
      DefaultSpdyDataFrame last = new DefaultSpdyDataFrame(id, Unpooled.EMPTY_BUFFER);
      last.setLast(true);
      return write(last);
    }
  }

  SpdyConnection(Vertx vertx, NetSocket socket) {
    this.context = vertx.getOrCreateContext();
    this.socket = socket;
    socket.handler(this::read);
    socket.exceptionHandler(failure -> socket.close());
    socket.endHandler(closed -> over());
    socket.resume();
  }

  /** Runs a task on the connection's loop; thread-safe. */
  void run(Runnable task) {
    context.runOnContext(v -> task.run());
  }

  /** Completes when the connection has ended, on whatever side, and all its data was handled. */
  Future<Void> ended() {
    return ended.future();
  }

  /**
   * Opens a stream.
   *
   * @param data called with what the server sends
   */
  Stream open(Map<String, String> headers, Consumer<Buffer> data) {
    Stream stream = new Stream(next, data);
    next += IDS_APART;
    streams.put(stream.id, stream);
    DefaultSpdySynStreamFrame open = new DefaultSpdySynStreamFrame(stream.id, 0, (byte) 0);
    headers.forEach((name, value) -> open.headers().set(name, value));
    write(open).onFailure(failure -> close());
    return stream;
  }

  /** Ends the connection. Data that has arrived is handled. */
  void close() {
    socket.close();
    full = 0;
    socket.resume(); // what a full client has not taken would hide the end
  }

  /** Reads no more until {@link #taken} was called as often. */
  void full() {
    full++;
    socket.pause();
  }

  void taken() {
    if (full > 0) {
      full--;
      if (full == 0) {
        socket.resume();
      }
    }
  }

  private Future<Void> write(SpdyFrame frame) {
    codec.writeOutbound(frame);
    Future<Void> written = Future.succeededFuture();
    ByteBuf bytes = codec.readOutbound();
    while (bytes != null) {
      written = socket.write(Buffer.buffer(ByteBufUtil.getBytes(bytes)));
      bytes.release();
      bytes = codec.readOutbound();
    }
    return written;
  }

  private void read(Buffer data) {
    try {
      codec.writeInbound(Unpooled.wrappedBuffer(data.getBytes()));
    } catch (Exception e) {
      // the codec's own exception, undeclared: what is no frame, after which it reads no other
      LOG.debug("the container runtime's streams are no SPDY", e);
      close();
      return;
    }
    Object frame = codec.readInbound();
    while (frame != null) {
      try {
        take(frame);
      } finally {
        ReferenceCountUtil.release(frame);
      }
      frame = codec.readInbound();
    }
  }

  private void take(Object frame) {
    if (frame instanceof SpdyDataFrame) {
      SpdyDataFrame data = (SpdyDataFrame) frame;
      Stream stream = streams.get(data.streamId());
      if (stream != null && data.content().isReadable()) {
        stream.data.accept(Buffer.buffer(ByteBufUtil.getBytes(data.content())));
      }
      endIf(data.isLast(), data.streamId());
    } else if (frame instanceof SpdySynStreamFrame) {
      // a server has no reason to open one
      write(
          new DefaultSpdyRstStreamFrame(
              ((SpdySynStreamFrame) frame).streamId(), SpdyStreamStatus.REFUSED_STREAM));
    } else if (frame instanceof SpdyRstStreamFrame) {
      endIf(true, ((SpdyRstStreamFrame) frame).streamId());
    } else if (frame instanceof SpdyPingFrame) {
      int id = ((SpdyPingFrame) frame).id();
      if (id % IDS_APART == 0) {
        write(new DefaultSpdyPingFrame(id));
      }
    } else if (frame instanceof SpdyHeadersFrame) {
      SpdyHeadersFrame headers = (SpdyHeadersFrame) frame; // a reply is one, too
      endIf(headers.isLast(), headers.streamId());
    }
  }

  private void endIf(boolean last, int id) {
    Stream stream = last ? streams.remove(id) : null;
    if (stream != null) {
      stream.end.tryComplete();
    }
  }

  private void over() {
    codec.finishAndReleaseAll();
    new ArrayList<>(streams.values()).forEach(stream -> stream.end.tryComplete());
    streams.clear();
    ended.tryComplete();
  }
}
