package dev.vertlet.cri.stream;

import dev.vertlet.testsupport.Waits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A streaming server as container runtimes have one, whose sessions a test performs. */
final class FakeStreamServer implements AutoCloseable {
  private static final String SWITCHING =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n";

  private final BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
  private final NetServer server;
  private volatile String answer = SWITCHING;

  FakeStreamServer(Vertx vertx) {
    server = Waits.get(vertx.createNetServer().connectHandler(this::accept).listen(0, "127.0.0.1"));
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort() + "/exec/token";
  }

  /** Answers requests to switch with this text; empty to answer nothing. */
  void answer(String text) {
    answer = text;
  }

  private void accept(NetSocket socket) {
    Session session = new Session(socket);
    socket.handler(session::read);
    socket.endHandler(closed -> session.closed.tryComplete());
    socket.exceptionHandler(failure -> session.closed.tryComplete());
  }

  /** Waits for the next session. */
  Session next() throws InterruptedException {
    return Waits.take(sessions);
  }

  /** A connection that was switched. Thread-safe. */
  final class Session {
    private final Context context = Vertx.currentContext();
    private final NetSocket socket;
    private final EmbeddedChannel codec =
        new EmbeddedChannel(
            new SpdyFrameCodec(SpdyVersion.SPDY_3_1, 64 * 1024, 16 * 1024, 6, 15, 8));
    private final Map<String, Received> received = new HashMap<>();
    private final Map<Integer, String> types = new HashMap<>();
    private final Promise<Void> closed = Promise.promise();
    private final List<String> frames = new ArrayList<>();
    private String head = "";
    private boolean switched;

    private Session(NetSocket socket) {
      this.socket = socket;
    }

    /** The request to switch. */
    String head() {
      return head;
    }

    /** Completes when the client has closed the connection. */
    Future<Void> closed() {
      return closed.future();
    }

    private void read(Buffer data) {
      if (switched) {
        frames(data);
        return;
      }
      head += data.toString(StandardCharsets.ISO_8859_1);
      if (head.endsWith("\r\n\r\n")) {
        switched = answer.equals(SWITCHING);
        if (!answer.isEmpty()) {
          socket.write(answer);
        }
        sessions.add(this);
      }
    }

    private synchronized void frames(Buffer data) {
      codec.writeInbound(Unpooled.wrappedBuffer(data.getBytes()));
      Object frame = codec.readInbound();
      while (frame != null) {
        frames.add(frame.getClass().getSimpleName());
        if (frame instanceof SpdySynStreamFrame) {
          SpdySynStreamFrame open = (SpdySynStreamFrame) frame;
          String type = String.valueOf(open.headers().get("streamtype"));
          types.put(open.streamId(), type);
          received.put(type, new Received(open.streamId(), Buffer.buffer(), false));
          write(new DefaultSpdySynReplyFrame(open.streamId()));
        } else if (frame instanceof SpdyDataFrame) {
          SpdyDataFrame part = (SpdyDataFrame) frame;
          String type = String.valueOf(types.get(part.streamId()));
          Received before = received.get(type);
          if (before != null) {
            before.data.appendBytes(ByteBufUtil.getBytes(part.content()));
            received.put(type, new Received(before.id, before.data, before.ended || part.isLast()));
          }
        }
        ReferenceCountUtil.release(frame);
        frame = codec.readInbound();
      }
    }

    private void write(SpdyFrame frame) {
      codec.writeOutbound(frame);
      ByteBuf bytes = codec.readOutbound();
      while (bytes != null) {
        socket.write(Buffer.buffer(ByteBufUtil.getBytes(bytes)));
        bytes.release();
        bytes = codec.readOutbound();
      }
    }

    /** Kinds of frames that have come, in order. */
    synchronized List<String> kinds() {
      return List.copyOf(frames);
    }

    /** What has come on a stream; waits until the client has opened it. */
    Received stream(String type) {
      Waits.eventually(
          () -> {
            synchronized (this) {
              if (!received.containsKey(type)) {
                throw new AssertionError("there is no stream " + type + ", only " + received);
              }
            }
          });
      synchronized (this) {
        return Objects.requireNonNull(received.get(type));
      }
    }

    /** Sends data on a stream. */
    void send(String type, Buffer data) {
      int id = stream(type).id;
      run(() -> write(new DefaultSpdyDataFrame(id, Unpooled.wrappedBuffer(data.getBytes()))));
    }

    void send(String type, String data) {
      send(type, Buffer.buffer(data));
    }

    /** Tells the client that everything was sent on a stream. */
    void end(String type) {
      int id = stream(type).id;
      run(
          () -> {
            DefaultSpdyDataFrame last = new DefaultSpdyDataFrame(id, Unpooled.EMPTY_BUFFER);
            last.setLast(true);
            write(last);
          });
    }

    void reset(String type) {
      int id = stream(type).id;
      run(() -> write(new DefaultSpdyRstStreamFrame(id, SpdyStreamStatus.INTERNAL_ERROR)));
    }

    /** Sends a frame of another kind. */
    void frame(SpdyFrame frame) {
      run(() -> write(frame));
    }

    /** Sends bytes that need be no frame. */
    void raw(int... bytes) {
      Buffer all = Buffer.buffer();
      for (int each : bytes) {
        all.appendByte((byte) each);
      }
      run(() -> socket.write(all));
    }

    void close() {
      run(socket::close);
    }

    /** Reads no more, as a process that does not take its input. */
    void pause() {
      run(socket::pause);
    }

    void resume() {
      run(socket::resume);
    }

    private void run(Runnable task) {
      context.runOnContext(
          v -> {
            synchronized (this) {
              task.run();
            }
          });
    }
  }

  /** What a client has sent on a stream. */
  static final class Received {
    private final int id;
    private final Buffer data;
    private final boolean ended;

    private Received(int id, Buffer data, boolean ended) {
      this.id = id;
      this.data = data;
      this.ended = ended;
    }

    String text() {
      return data.toString(StandardCharsets.UTF_8);
    }

    int length() {
      return data.length();
    }

    boolean ended() {
      return ended;
    }
  }

  @Override
  public void close() {
    Waits.get(server.close());
  }
}
