package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/**
 * Decodes messages into channels and bytes, fragment by fragment, so that a large message is never
 * buffered as a whole.
 */
final class ChannelDecoder {
  /** Receives the decoded parts of a message. */
  interface Output {
    /**
     * @param channel 0 to 255; negative for a digit below 0
     * @param bytes valid only during the call
     */
    void data(int channel, ByteBuf bytes);

    /** Handles the end of the client's data on this channel. */
    void close(int channel) throws ProtocolViolation;
  }

  /** Channel of the messages that close other channels. */
  private static final int CLOSE = 255;

  private static final int NONE = Integer.MIN_VALUE;

  private final Framing framing;
  private final boolean closes;
  private final Output output;
  private final Base64Reader base64 = new Base64Reader();
  private int channel = NONE;
  private int closing = NONE;

  /**
   * @param closes whether channel 255 closes other channels, as from version 5 on
   */
  ChannelDecoder(Framing framing, boolean closes, Output output) {
    this.framing = framing;
    this.closes = closes;
    this.output = output;
  }

  /**
   * @param payload payload of a frame; read, not released
   * @param last whether this is the end of the message
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
