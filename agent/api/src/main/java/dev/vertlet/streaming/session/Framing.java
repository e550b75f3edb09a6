package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.Base64;

/** Encoding of a channel number and its bytes in a message. */
public enum Framing {
  /** Binary messages: one byte for the channel number, then the bytes. */
  BINARY,

  /** Text messages: one digit for the channel number, then the bytes in base64. */
  BASE64;

  /** Decodes the channel number from the first byte of a message; negative for an invalid one. */
  int channel(byte first) {
    return this == BINARY ? first & 0xff : (first & 0xff) - '0';
  }

  /**
   * Builds a message.
   *
   * @param bytes ownership passes to this method
   */
  WebSocketFrame message(int channel, ByteBuf bytes) {
    if (this == BINARY) {
      ByteBuf number = Unpooled.wrappedBuffer(new byte[] {(byte) channel});
      // no copy: both parts are written to the socket in turn
      return new BinaryWebSocketFrame(
          bytes.isReadable() ? Unpooled.wrappedBuffer(number, bytes) : emptied(bytes, number));
    }
    try {
      byte[] plain = new byte[bytes.readableBytes()];
      bytes.readBytes(plain);
      byte[] text = Base64.getEncoder().encode(plain);
      ByteBuf digit = Unpooled.wrappedBuffer(new byte[] {(byte) ('0' + channel)});
      return new TextWebSocketFrame(Unpooled.wrappedBuffer(digit, Unpooled.wrappedBuffer(text)));
    } finally {
      bytes.release();
    }
  }

  private static ByteBuf emptied(ByteBuf bytes, ByteBuf number) {
    bytes.release();
    return number;
  }
}
