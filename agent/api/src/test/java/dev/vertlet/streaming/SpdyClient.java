package dev.vertlet.streaming;

import static dev.vertlet.testsupport.Waits.get;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyGoAwayFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A client that speaks SPDY/3.1 as those of Kubernetes do: without windows. */
final class SpdyClient {
  /** What came on one stream. */
  static final class Received {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final CompletableFuture<Void> replied = new CompletableFuture<>();

    /** With all bytes; fails when the stream was reset. */
    final CompletableFuture<String> all = new CompletableFuture<>();

    synchronized int count() {
      return bytes.size();
    }

    private synchronized void add(SpdyDataFrame frame) {
      byte[] more = new byte[frame.content().readableBytes()];
      frame.content().readBytes(more);
      bytes.writeBytes(more);
    }

    synchronized String text() {
      return bytes.toString(StandardCharsets.ISO_8859_1);
    }
  }

  final ConcurrentMap<Integer, Received> streams = new ConcurrentHashMap<>();
  final CompletableFuture<Integer> goAway = new CompletableFuture<>();
  final CompletableFuture<Void> closed = new CompletableFuture<>();
  final AtomicInteger frames = new AtomicInteger();
  private final Channel channel;
  private final Consumer<SpdyFrame> sender;
  private final Runnable closer;
  private int next = 1;

  /** One that only its connections know is closed by the garbage collector, and they with it. */
  Object owner = this;

  /** Its head, in HTTP. */
  String answer = "";

  private SpdyClient(NetSocketInternal socket) {
    ChannelHandlerContext context = socket.channelHandlerContext();
    this.channel = context.channel();
    this.sender = frame -> context.executor().execute(() -> context.writeAndFlush(frame));
    this.closer = socket::close;
    context.pipeline().addBefore(context.name(), null, new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
    context.pipeline().addBefore(context.name(), null, new Reader());
    socket.closeHandler(gone -> closed.complete(null));
  }

  private SpdyClient(Messages messages) {
    EmbeddedChannel codec =
        new EmbeddedChannel(new SpdyFrameCodec(SpdyVersion.SPDY_3_1), new Reader());
    this.channel = codec;
    this.sender =
        frame -> {
          synchronized (codec) {
            codec.writeOutbound(frame);
            ByteBuf bytes = codec.readOutbound();
            messages.send(ByteBufUtil.getBytes(bytes));
            bytes.release();
          }
        };
    this.closer = () -> messages.socket().close();
    messages
        .socket()
        .handler(
            bytes -> {
              synchronized (codec) {
                codec.writeInbound(Unpooled.wrappedBuffer(bytes.getBytes()));
              }
            });
  }

  /** In a WebSocket. */
  static SpdyClient tunnel(Vertx vertx, WebSocketConnectOptions options) throws Exception {
    Messages messages = Messages.of(vertx, options);
    SpdyClient client = new SpdyClient(messages);
    client.owner = messages;
    return client;
  }

  /** Upgrades; the versions are offered in this order. */
  static SpdyClient connect(Vertx vertx, int port, String path, String... versions)
      throws Exception {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: a\r\n");
    head.append("Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n");
    for (String version : versions) {
      head.append("X-Stream-Protocol-Version: ").append(version).append("\r\n");
    }
    CompletableFuture<SpdyClient> made = new CompletableFuture<>();
    NetClient net = vertx.createNetClient();
    net.connect(port, "127.0.0.1")
        .onComplete(
            socket -> {
              StringBuilder answer = new StringBuilder();
              socket.handler(
                  bytes -> {
                    answer.append(bytes.toString(StandardCharsets.ISO_8859_1));
                    if (answer.indexOf("\r\n\r\n") < 0) {
                      return;
                    }
                    if (answer.indexOf("HTTP/1.1 101 ") != 0) {
                      made.completeExceptionally(new AssertionError(answer.toString()));
                    } else if (!made.isDone()) {
                      SpdyClient client = new SpdyClient((NetSocketInternal) socket);
                      client.answer = answer.toString();
                      client.owner = net;
                      made.complete(client);
                    }
                  });
              socket.write(head.append("\r\n").toString());
            },
            made::completeExceptionally);
    return get(made);
  }

  private final class Reader extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      try {
        frames.incrementAndGet();
        if (frame instanceof SpdyDataFrame) {
          SpdyDataFrame data = (SpdyDataFrame) frame;
          Received stream = stream(data.streamId());
          stream.add(data);
          if (data.isLast()) {
            stream.all.complete(stream.text());
          }
        } else if (frame instanceof SpdySynReplyFrame) {
          stream(((SpdySynReplyFrame) frame).streamId()).replied.complete(null);
        } else if (frame instanceof SpdyRstStreamFrame) {
          SpdyRstStreamFrame reset = (SpdyRstStreamFrame) frame;
          Exception why = new IllegalStateException("reset " + reset.status());
          stream(reset.streamId()).all.completeExceptionally(why);
          stream(reset.streamId()).replied.completeExceptionally(why);
        } else if (frame instanceof SpdyGoAwayFrame) {
          goAway.complete(((SpdyGoAwayFrame) frame).status().code());
        }
      } finally {
        ReferenceCountUtil.release(frame);
      }
    }
  }

  Received stream(int id) {
    return streams.computeIfAbsent(id, any -> new Received());
  }

  /** Opens a stream, without waiting for the answer. */
  int open(Map<String, String> headers) {
    int id = next;
    next += 2;
    SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
    headers.forEach((name, value) -> frame.headers().set(name.toLowerCase(Locale.ROOT), value));
    send(frame);
    return id;
  }

  int open(String type) {
    return open(Map.of("streamType", type));
  }

  void data(int stream, byte[] bytes, boolean last) {
    DefaultSpdyDataFrame frame = new DefaultSpdyDataFrame(stream, Unpooled.wrappedBuffer(bytes));
    frame.setLast(last);
    send(frame);
  }

  void data(int stream, String text, boolean last) {
    data(stream, text.getBytes(StandardCharsets.UTF_8), last);
  }

  void send(SpdyFrame frame) {
    sender.accept(frame);
  }

  /** Bytes that need not be a frame. */
  void sendRaw(byte[] bytes) {
    channel
        .eventLoop()
        .execute(
            () -> channel.pipeline().firstContext().writeAndFlush(Unpooled.wrappedBuffer(bytes)));
  }

  /** Stops reading, or goes on. */
  void read(boolean on) {
    channel.config().setAutoRead(on);
  }

  /** Whether it may send more, once all that was sent before is on its way. */
  boolean writable() {
    return channel.eventLoop().submit(channel::isWritable).syncUninterruptibly().getNow();
  }

  void close() {
    closer.run();
  }
}
