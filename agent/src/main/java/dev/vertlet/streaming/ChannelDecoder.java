package dev.vertlet.streaming;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * Takes messages apart into channels and bytes, fragment by fragment, so that a large message is
 * never kept whole.
 */
final class ChannelDecoder {
  /** What a message said. */
  interface Output {
    /**
     * @param channel 0 to 255; negative for a digit below 0
     * @param bytes the callee's to read, not to keep
     */
    void data(int channel, ByteBuf bytes);

    /** The client sends no more on this channel. */
    void close(int channel) throws ProtocolViolation;
  }

  /** The channel of messages about channels. */
  private static final int CLOSE = 255;

  private static final int NONE = Integer.MIN_VALUE;

  private final Framing framing;
  private final boolean closes;
  private final Output output;
  private final Base64Reader base64 = new Base64Reader();
  private int channel = NONE;
  private int closing = NONE;

  /**
   * @param closes whether channel 255 closes others, as of version 5
   */
  ChannelDecoder(Framing framing, boolean closes, Output output) {
    this.framing = framing;
    this.closes = closes;
    this.output = output;
  }

  /**
   * @param payload of a frame; read, not released
   * @param last whether the message ends with it
   */
  void decode(ByteBuf payload, boolean last) throws ProtocolViolation {
    if (channel == NONE && payload.isReadable()) {
      channel = framing.channel(payload.readByte());
    }
    if (channel == CLOSE && closes) {
      readClose(payload, last);
    } else if (channel != NONE) {
      readData(payload, last);
    }
    if (last) {
      channel = NONE;
      closing = NONE;
      base64.reset();
    }
  }

  private void readData(ByteBuf payload, boolean last) throws ProtocolViolation {
    if (framing == Framing.BINARY) {
      output.data(channel, payload);
      return;
    }
    ByteBuf plain = base64.decode(payload, last);
    try {
      output.data(channel, plain);
    } finally {
      plain.release();
    }
  }

  private void readClose(ByteBuf payload, boolean last) throws ProtocolViolation {
    int length = payload.readableBytes();
    boolean known = closing != NONE;
    if (length > 1 || known && length > 0 || last && !known && length == 0) {
      throw new ProtocolViolation(
          WebSocketCloseStatus.PROTOCOL_ERROR,
          "a single channel byte must follow the signal to close a stream");
    }
    if (length == 1) {
      closing = payload.readUnsignedByte();
    }
    if (last) {
      output.close(closing);
    }
  }
}
