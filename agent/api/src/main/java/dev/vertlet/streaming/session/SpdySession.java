package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.spdy.DefaultSpdyDataFrame;
import io.netty.handler.codec.spdy.DefaultSpdyGoAwayFrame;
import io.netty.handler.codec.spdy.DefaultSpdyPingFrame;
import io.netty.handler.codec.spdy.DefaultSpdyRstStreamFrame;
import io.netty.handler.codec.spdy.DefaultSpdySynReplyFrame;
import io.netty.handler.codec.spdy.DefaultSpdyWindowUpdateFrame;
import io.netty.handler.codec.spdy.SpdyDataFrame;
import io.netty.handler.codec.spdy.SpdyFrameCodec;
import io.netty.handler.codec.spdy.SpdyGoAwayFrame;
import io.netty.handler.codec.spdy.SpdyHeadersFrame;
import io.netty.handler.codec.spdy.SpdyPingFrame;
import io.netty.handler.codec.spdy.SpdyRstStreamFrame;
import io.netty.handler.codec.spdy.SpdySessionStatus;
import io.netty.handler.codec.spdy.SpdySettingsFrame;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.netty.handler.codec.spdy.SpdySynReplyFrame;
import io.netty.handler.codec.spdy.SpdySynStreamFrame;
import io.netty.handler.codec.spdy.SpdyVersion;
import io.netty.handler.codec.spdy.SpdyWindowUpdateFrame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server side of SPDY/3.1 with streams that clients open.
 *
 * <p>Clients of Kubernetes neither respect flow control windows nor announce theirs. A client's
 * windows therefore count only after its first SETTINGS or WINDOW_UPDATE frame; for a client that
 * sends neither, only TCP limits the data in both directions. The server always announces its own
 * window.
 */
public final class SpdySession extends StreamSession {
  private static final Logger LOG = LoggerFactory.getLogger(SpdySession.class);

  /** Initial window of a stream and of the session. */
  static final int WINDOW = 64 * 1024;

  /** Most streams open at once; each forwarded connection needs two. */
  static final int MOST_STREAMS = 2048;

  private static final int LONGEST_HEADERS = 16 * 1024;

  /** Most characters kept of a stream's header. Clients send request numbers. */
  private static final int LONGEST_HEADER = 256;

  private final SpdyPeer peer;
  private final Map<Integer, SpdyStream> streams = new LinkedHashMap<>();
  private int last;
  private int pings;
  private boolean leaving;
  private boolean counts;
  private int initialWindow = WINDOW;
  private long window = WINDOW;
  private int unreported;

  public SpdySession(Executor handlers, StreamLimits limits, SpdyPeer peer) {
    super(handlers, limits);
    this.peer = peer;
  }

  /** Creates the frame codec. */
  public static SpdyFrameCodec codec() {
    return new SpdyFrameCodec(SpdyVersion.SPDY_3_1, WINDOW, LONGEST_HEADERS, 6, 15, 8);
  }

  @Override
  void opened() {}

  @Override
  void read(Object frame) throws ProtocolViolation {
    if (!isOpen()) {
      if (frame instanceof SpdyGoAwayFrame) {
        abort(); // the client has received the GOAWAY frame
      }
      return;
    }
    touch();
    if (frame instanceof SpdyDataFrame) {
      onData((SpdyDataFrame) frame);
    } else if (frame instanceof SpdySynStreamFrame) {
      onSynStream((SpdySynStreamFrame) frame);
    } else if (frame instanceof SpdyRstStreamFrame) {
      onReset((SpdyRstStreamFrame) frame);
    } else if (frame instanceof SpdyPingFrame) {
      onPing((SpdyPingFrame) frame);
    } else if (frame instanceof SpdyWindowUpdateFrame) {
      onWindowUpdate((SpdyWindowUpdateFrame) frame);
    } else if (frame instanceof SpdySettingsFrame) {
      onSettings((SpdySettingsFrame) frame);
    } else if (frame instanceof SpdyGoAwayFrame) {
      onGoAway();
    } else if (frame instanceof SpdySynReplyFrame) {
      // the server opens no streams
      resetId(((SpdySynReplyFrame) frame).streamId(), SpdyStreamStatus.INVALID_STREAM);
    } else if (frame instanceof SpdyHeadersFrame) {
      onHeaders((SpdyHeadersFrame) frame);
    }
  }

  private void onSynStream(SpdySynStreamFrame frame) {
    int id = frame.streamId();
    if (leaving) {
      return;
    }
    if (id % 2 == 0 || id <= last) {
      boolean twice = streams.containsKey(id);
      resetId(id, twice ? SpdyStreamStatus.STREAM_IN_USE : SpdyStreamStatus.PROTOCOL_ERROR);
      return;
    }
    last = id;
    if (frame.isInvalid() || frame.isTruncated()) {
      resetId(id, SpdyStreamStatus.PROTOCOL_ERROR);
      return;
    }
    if (streams.size() >= MOST_STREAMS) {
      resetId(id, SpdyStreamStatus.REFUSED_STREAM);
      return;
    }
    open(frame);
  }

  private void open(SpdySynStreamFrame frame) {
    int id = frame.streamId();
    InboundStream in = new InboundStream(tasks(), handlers, bytes -> freed(id, bytes));
    SpdyStream stream = new SpdyStream(id, frame.headers(), in, outlets().open(id), initialWindow);
    boolean tooLong =
        Stream.of(stream.type, stream.port, stream.request)
            .anyMatch(value -> value.length() > LONGEST_HEADER);
    String refusal = tooLong ? "a header is too long" : peer.refusal(stream);
    if (refusal != null) {
      LOG.debug("refusing stream {} of {}: {}", id, channel().channel(), refusal);
      resetId(id, SpdyStreamStatus.CANCEL);
      return;
    }
    streams.put(id, stream);
    answer(reply(id));
    if (frame.isUnidirectional()) {
      stream.out.close("the client takes nothing on this stream");
      stream.sentLast = true;
    }
    if (frame.isLast()) {
      finishIn(stream);
    }
    peer.opened(stream);
  }

  private static SpdySynReplyFrame reply(int id) {
    SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(id);
    // the codec writes an empty header block as no bytes, which clients in Go fail to decompress
    reply.headers().set(":status", "200").set(":version", "HTTP/1.1");
    return reply;
  }

  private void onData(SpdyDataFrame frame) {
    SpdyStream stream = streams.get(frame.streamId());
    int length = frame.content().readableBytes();
    if (stream == null || stream.receivedLast) {
      freed(0, length);
      if (stream != null) {
        reset(stream, SpdyStreamStatus.STREAM_ALREADY_CLOSED);
      } else if (frame.streamId() > last) {
        // not for a stream that has ended here: the client's data was sent before it knew
        resetId(frame.streamId(), SpdyStreamStatus.INVALID_STREAM);
      }
      return;
    }
    intake().hold(length);
    stream.in.add(frame.content());
    if (frame.isLast()) {
      finishIn(stream);
    }
  }

  private void onHeaders(SpdyHeadersFrame frame) {
    SpdyStream stream = streams.get(frame.streamId());
    if (stream != null && frame.isLast() && !stream.receivedLast) {
      finishIn(stream);
    }
  }

  private void finishIn(SpdyStream stream) {
    stream.receivedLast = true;
    stream.in.end();
    forgetIfOver(stream);
  }

  private void forgetIfOver(SpdyStream stream) {
    if (stream.sentLast && (stream.receivedLast || stream.abandoned)) {
      forget(stream);
    }
  }

  /** Discards the stream's data and ends it once queued data is sent. */
  public void abandon(SpdyStream stream) {
    stream.in.discard();
    stream.abandoned = true;
    forgetIfOver(stream);
  }

  private void onReset(SpdyRstStreamFrame frame) {
    SpdyStream stream = streams.get(frame.streamId());
    if (stream != null) {
      drop(stream, "the client has reset the stream");
    }
  }

  private void onPing(SpdyPingFrame frame) {
    if (frame.id() % 2 != 0) { // even IDs are replies
      answer(new DefaultSpdyPingFrame(frame.id()));
    }
  }

  private void onGoAway() {
    leaving = true;
    if (streams.isEmpty()) {
      abort();
    }
  }

  private void onSettings(SpdySettingsFrame frame) throws ProtocolViolation {
    int id = SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE;
    if (!frame.isSet(id)) {
      return;
    }
    int size = frame.getValue(id);
    if (size < 0) {
      throw new ProtocolViolation(
          WebSocketCloseStatus.PROTOCOL_ERROR, "an initial window of " + size + " bytes");
    }
    counts = true;
    long more = (long) size - initialWindow;
    initialWindow = size;
    for (SpdyStream stream : new ArrayList<>(streams.values())) {
      stream.window += more;
      outlets().line(stream.out);
    }
  }

  private void onWindowUpdate(SpdyWindowUpdateFrame frame) throws ProtocolViolation {
    counts = true;
    int more = frame.deltaWindowSize();
    if (frame.streamId() == 0) {
      window += more;
      if (window > Integer.MAX_VALUE) {
        throw new ProtocolViolation(
            WebSocketCloseStatus.PROTOCOL_ERROR, "a window of " + window + " bytes");
      }
      new ArrayList<>(streams.values()).forEach(stream -> outlets().line(stream.out));
      return;
    }
    SpdyStream stream = streams.get(frame.streamId());
    if (stream != null) {
      stream.window += more;
      if (stream.window > Integer.MAX_VALUE) {
        reset(stream, SpdyStreamStatus.FLOW_CONTROL_ERROR);
      } else {
        outlets().line(stream.out);
      }
    }
  }

  /** Announces the freed window of a stream; with 0 only that of the session. */
  private void freed(int id, int bytes) {
    if (bytes == 0) {
      return;
    }
    SpdyStream stream = streams.get(id);
    if (id != 0) {
      intake().free(bytes);
    }
    if (!isOpen()) {
      return;
    }
    unreported += bytes;
    if (unreported >= WINDOW / 2) {
      answer(new DefaultSpdyWindowUpdateFrame(0, unreported));
      unreported = 0;
    }
    if (stream != null && !stream.receivedLast) {
      stream.unreported += bytes;
      if (stream.unreported >= WINDOW / 2) {
        answer(new DefaultSpdyWindowUpdateFrame(id, stream.unreported));
        stream.unreported = 0;
      }
    }
  }

  @Override
  public int allowance(OutboundStream outlet) {
    SpdyStream stream = streams.get(outlet.id);
    if (!counts || stream == null) {
      return Integer.MAX_VALUE;
    }
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, Math.min(window, stream.window)));
  }

  @Override
  public void write(OutboundStream outlet, ByteBuf bytes, boolean last, ChannelPromise sent) {
    int length = bytes.readableBytes();
    SpdyStream stream = streams.get(outlet.id);
    window -= length;
    SpdyDataFrame frame = new DefaultSpdyDataFrame(outlet.id, bytes);
    frame.setLast(last);
    channel().write(frame, sent);
    if (stream != null) {
      stream.window -= length;
      if (last) {
        stream.sentLast = true;
        forgetIfOver(stream);
      }
    }
  }

  /** Resets a stream in both directions. */
  public void reset(SpdyStream stream, SpdyStreamStatus status) {
    if (streams.containsKey(stream.id)) {
      resetId(stream.id, status);
      drop(stream, "the stream was reset");
    }
  }

  private void resetId(int id, SpdyStreamStatus status) {
    answer(new DefaultSpdyRstStreamFrame(id, status));
  }

  private void forget(SpdyStream stream) {
    streams.remove(stream.id);
    if (leaving && streams.isEmpty()) {
      finish();
    }
  }

  private void drop(SpdyStream stream, String why) {
    forget(stream);
    stream.out.close(why);
    stream.in.fail(new ClientGone());
    handlers.execute(stream::leave);
  }

  @Override
  void ping() {
    pings += 2;
    answer(new DefaultSpdyPingFrame(pings));
  }

  @Override
  void farewell() {
    answer(new DefaultSpdyGoAwayFrame(last, SpdySessionStatus.OK));
  }

  @Override
  void blame(Throwable cause) {
    answer(new DefaultSpdyGoAwayFrame(last, status(cause)));
  }

  private static SpdySessionStatus status(Throwable cause) {
    if (cause instanceof SessionFailure) {
      return SpdySessionStatus.INTERNAL_ERROR;
    }
    return cause instanceof ProtocolIdle ? SpdySessionStatus.OK : SpdySessionStatus.PROTOCOL_ERROR;
  }

  @Override
  void lost() {
    List<SpdyStream> left = new ArrayList<>(streams.values());
    streams.clear();
    for (SpdyStream stream : left) {
      stream.out.close("the client has gone");
      stream.in.fail(new ClientGone());
      handlers.execute(stream::leave);
    }
  }
}
