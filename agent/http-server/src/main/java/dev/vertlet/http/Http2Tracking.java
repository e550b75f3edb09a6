package dev.vertlet.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;

/** Reports the streams of one HTTP/2 connection to the tracker. */
final class Http2Tracking {
  private Http2Tracking() {}

  static void install(
      ChannelHandlerContext http2, ConnectionTracker tracker, TrackedConnection connection) {
    Http2ConnectionHandler handler = (Http2ConnectionHandler) http2.handler();
    if (http2.pipeline().get(SslHandler.class) == null) {
      // the frames received so far were not parsed
      remove(http2.pipeline(), TrackedBytes.NAME);
      remove(http2.pipeline(), Http1Messages.NAME);
      remove(http2.pipeline(), Http1Faults.NAME);
      tracker.headEnded(connection);
    }
    handler
        .connection()
        .addListener(
            new Http2ConnectionAdapter() {
              @Override
              public void onStreamHalfClosed(Http2Stream stream) {
                if (stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL) {
                  http2
                      .executor()
                      .execute(() -> reset(http2, handler, stream, Http2Error.NO_ERROR));
                }
              }

              @Override
              public void onStreamClosed(Http2Stream stream) {
                tracker.requestEnded(connection, stream.id());
              }
            });
  }

  private static void remove(ChannelPipeline pipeline, String name) {
    if (pipeline.get(name) != null) {
      pipeline.remove(name);
    }
  }

  /**
   * Resets a stream with {@code NO_ERROR} when the response ends before the request (RFC 9113,
   * 8.1), so that its client cannot keep the stream.
   */
  static void reset(
      ChannelHandlerContext http2,
      Http2ConnectionHandler handler,
      Http2Stream stream,
      Http2Error why) {
    if (stream.state() != Http2Stream.State.CLOSED && http2.channel().isActive()) {
      handler.resetStream(http2, stream.id(), why.code(), http2.newPromise());
      http2.flush();
    }
  }
}
