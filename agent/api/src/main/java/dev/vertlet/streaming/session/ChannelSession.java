package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Session of numbered channels in a WebSocket. Data on a channel without a reader is discarded. */
public final class ChannelSession extends StreamSession {
  public interface Reader {
    /**
     * @param bytes valid only during the call
     */
    void data(ByteBuf bytes);

    /** Handles the end of the client's data. */
    void end();
  }

  private final Framing framing;
  private final int channels;
  private final ChannelDecoder decoder;
  private final Map<Integer, Reader> readers = new HashMap<>();
  private final List<InboundStream> inlets = new ArrayList<>();
  private final List<OutboundStream> writers = new ArrayList<>();

  /**
   * @param closes whether the client may close channels, as from version 5 on
   * @param channels number of channels
   */
  public ChannelSession(
      Executor handlers, StreamLimits limits, Framing framing, boolean closes, int channels) {
    super(handlers, limits);
    this.framing = framing;
    this.channels = channels;
    this.decoder = new ChannelDecoder(framing, closes, new Incoming());
  }

  /** Passes decoded messages to the readers of their channels. */
  private final class Incoming implements ChannelDecoder.Output {
    @Override
    public void data(int channel, ByteBuf bytes) {
      Reader reader = readers.get(channel);
      if (reader != null) {
        reader.data(bytes);
      }
    }

    @Override
    public void close(int channel) throws ProtocolViolation {
      if (channel >= channels) {
        throw new ProtocolViolation(
            WebSocketCloseStatus.PROTOCOL_ERROR,
            "channel " + channel + " cannot be closed, there are 0 to " + (channels - 1));
      }
      Reader reader = readers.get(channel);
      if (reader != null) {
        reader.end();
      }
    }
  }

  public void reader(int channel, Reader reader) {
    readers.put(channel, reader);
  }

  /** Returns the stream of the client's data on a channel. */
  public InboundStream inlet(int channel) {
    InboundStream inlet = new InboundStream(tasks(), handlers, intake()::free);
    inlets.add(inlet);
    reader(
        channel,
        new Reader() {
          @Override
          public void data(ByteBuf bytes) {
            intake().hold(bytes.readableBytes());
            inlet.add(bytes);
          }

          @Override
          public void end() {
            inlet.end();
          }
        });
    return inlet;
  }

  /** Returns the stream of data to the client on a channel. */
  public OutboundStream outlet(int channel) {
    OutboundStream outlet = outlets().open(channel);
    writers.add(outlet);
    return outlet;
  }

  /** Sends an empty message, which tells the client that the session has started. */
  public void greet(int channel) {
    answer(framing.message(channel, Unpooled.EMPTY_BUFFER));
  }

  @Override
  void opened() {}

  @Override
  void read(Object frame) throws ProtocolViolation {
    if (frame instanceof CloseWebSocketFrame) {
      onClose((CloseWebSocketFrame) frame);
    } else if (!isOpen()) {
      return;
    } else if (frame instanceof PingWebSocketFrame) {
      answer(new PongWebSocketFrame(((WebSocketFrame) frame).content().retain()));
    } else if (frame instanceof TextWebSocketFrame
        || frame instanceof BinaryWebSocketFrame
        || frame instanceof ContinuationWebSocketFrame) {
      touch();
      WebSocketFrame message = (WebSocketFrame) frame;
      decoder.decode(message.content(), message.isFinalFragment());
    }
  }

  private void onClose(CloseWebSocketFrame frame) {
    if (isOpen()) {
      // answer with the client's code, as is usual, or without a code if the client sent none
      answer(new CloseWebSocketFrame(true, 0, frame.content().retain()));
      channel().flush();
    }
    abort();
  }

  @Override
  void ping() {
    answer(new PingWebSocketFrame());
  }

  @Override
  void farewell() {
    answer(new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE));
  }

  @Override
  void blame(Throwable cause) {
    answer(CloseReasons.frame(cause));
  }

  @Override
  void lost() {
    writers.forEach(outlet -> outlet.close("the client has gone"));
    inlets.forEach(inlet -> inlet.fail(new ClientGone()));
    readers.clear();
  }

  @Override
  public int allowance(OutboundStream outlet) {
    return Integer.MAX_VALUE;
  }

  /** Writes data frames; the end of a channel has no frame. */
  @Override
  public void write(OutboundStream outlet, ByteBuf bytes, boolean last, ChannelPromise sent) {
    if (last && !bytes.isReadable()) {
      bytes.release();
      sent.setSuccess();
    } else {
      channel().write(framing.message(outlet.id, bytes), sent);
    }
  }
}
