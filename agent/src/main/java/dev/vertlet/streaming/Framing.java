package dev.vertlet.streaming;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.Base64;

/** How a message names its channel and carries its bytes. */
enum Framing {
  /** A byte that is the channel's number, and the bytes. */
  BINARY,

  /** A digit, and the bytes in base64, all of it text. */
  BASE64;

  /** The channel whose number the first byte of a message gives; none has it when negative. */
  int channel(byte first) {
    return this == BINARY ? first & 0xff : (first & 0xff) - '0';
  }

  /**
   * A message.
   *
   * @param bytes taken over
   */
  WebSocketFrame message(int channel, ByteBuf bytes) {
    if (this == BINARY) {
      ByteBuf number = Unpooled.wrappedBuffer(new byte[] {(byte) channel});
      // no copy: the parts go to the socket one after the other
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
