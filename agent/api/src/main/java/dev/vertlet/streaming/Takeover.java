package dev.vertlet.streaming;

import dev.vertlet.streaming.session.ClientGone;
import dev.vertlet.streaming.session.LoopTasks;
import dev.vertlet.streaming.session.SpdySession;
import dev.vertlet.streaming.session.StreamSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpContentEncoder;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketServerExtensionHandler;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Takes a connection over from HTTP for another protocol. */
final class Takeover {
  private Takeover() {}

  /**
   * Answers 101 and starts the session.
   *
   * @param session created with the executor for other components' handlers
   * @return completes on the session's loop with the session, which is in the pipeline
   */
  static <S extends StreamSession> Future<S> webSocket(
      HttpServerRequest request, Map<String, String> headers, Function<Executor, S> session) {
    return take(request, headers, session, webSocketCodec());
  }

  /** Does the same for SPDY. */
  static Future<SpdySession> spdy(
      HttpServerRequest request,
      Map<String, String> headers,
      Function<Executor, SpdySession> session) {
    return take(request, headers, session, SpdySession.codec());
  }

  /** Does the same for SPDY in a WebSocket. */
  static Future<SpdySession> tunnel(
      HttpServerRequest request,
      Map<String, String> headers,
      Function<Executor, SpdySession> session) {
    List<ChannelHandler> codec = new ArrayList<>(List.of(webSocketCodec()));
    codec.add(new WebSocketTunnel());
    codec.add(SpdySession.codec());
    return take(request, headers, session, codec.toArray(ChannelHandler[]::new));
  }

  /** Creates the frame codec; long frames are split. */
  static ChannelHandler[] webSocketCodec() {
    WebSocketDecoderConfig config =
        WebSocketDecoderConfig.newBuilder()
            .maxFramePayloadLength(FrameSplitter.PIECE)
            .allowMaskMismatch(false)
            .closeOnProtocolViolation(false)
            .withUTF8Validator(false)
            .build();
    return new ChannelHandler[] {
      new FrameSplitter(), new WebSocket13FrameDecoder(config), new WebSocket13FrameEncoder(false)
    };
  }

  /**
   * Vert.x releases connections of GET requests only, and SPDY is requested with POST. This method
   * therefore replaces the HTTP handlers; the last handler stays and receives only the end of the
   * connection.
   */
  private static <S extends StreamSession> Future<S> take(
      HttpServerRequest request,
      Map<String, String> headers,
      Function<Executor, S> session,
      ChannelHandler... codec) {
    ConnectionBase connection = (ConnectionBase) request.connection();
    ContextInternal context = connection.context();
    S made = session.apply(task -> context.emit(none -> task.run()));
    Promise<S> taken = Promise.promise();
    new LoopTasks(connection.channel().eventLoop())
        .run(
            () -> {
              if (connection.channel().isActive()) {
                exchange(connection.channelHandlerContext(), headers, made, codec);
                taken.complete(made);
              } else {
                taken.fail(new ClientGone());
              }
            });
    return taken.future();
  }

  private static void exchange(
      ChannelHandlerContext http,
      Map<String, String> headers,
      StreamSession session,
      ChannelHandler... codec) {
    ChannelPipeline pipeline = http.pipeline();
    // HTTP timeouts do not suit terminal sessions
    List<Class<? extends ChannelHandler>> others =
        List.of(
            HttpResponseEncoder.class,
            HttpContentEncoder.class,
            ChunkedWriteHandler.class,
            WebSocketServerExtensionHandler.class,
            IdleStateHandler.class);
    others.forEach(handler -> remove(pipeline, handler));
    http.write(head(headers));
    pipeline.addBefore(http.name(), null, new PausedReads());
    for (ChannelHandler handler : codec) {
      pipeline.addBefore(http.name(), null, handler);
    }
    pipeline.addBefore(http.name(), null, session);
    // last: it passes bytes that it read beyond the request to its successor
    remove(pipeline, HttpRequestDecoder.class);
    http.flush();
    http.channel().config().setAutoRead(true);
  }

  private static void remove(ChannelPipeline pipeline, Class<? extends ChannelHandler> kind) {
    ChannelHandler handler = pipeline.get(kind);
    if (handler != null) {
      pipeline.remove(handler);
    }
  }

  private static ByteBuf head(Map<String, String> headers) {
    StringBuilder head = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\n");
    head.append("Connection: Upgrade\r\n");
    // values are constants or validated base64: none contains a line break
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return Unpooled.copiedBuffer(head.append("\r\n"), StandardCharsets.US_ASCII);
  }
}
