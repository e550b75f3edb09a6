package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.util.Arrays;
import java.util.Base64;

/** Decodes the base64 of one message, fragment by fragment. */
final class Base64Reader {
  private static final int GROUP = 4;

  /** Incomplete group at the end of the previous fragment. */
  private byte[] rest = new byte[0];

  private boolean padded;

  void reset() {
    rest = new byte[0];
    padded = false;
  }

  /**
   * @param last whether this is the end of the message
   */
  ByteBuf decode(ByteBuf text, boolean last) throws ProtocolViolation {
    byte[] all = new byte[rest.length + text.readableBytes()];
    System.arraycopy(rest, 0, all, 0, rest.length);
    text.readBytes(all, rest.length, text.readableBytes());
    int length = withoutLineBreaks(all);
    int usable = length - length % GROUP;
    if (padded && length > 0 || last && usable < length) {
      throw invalid();
    }
    byte[] groups = Arrays.copyOf(all, usable);
    rest = Arrays.copyOfRange(all, usable, length);
    padded |= usable > 0 && groups[usable - 1] == '=';
    try {
      return Unpooled.wrappedBuffer(Base64.getDecoder().decode(groups));
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  private static int withoutLineBreaks(byte[] text) {
    int length = 0;
    for (byte b : text) {
      if (b != '\r' && b != '\n') {
        text[length++] = b;
      }
    }
    return length;
  }

  private static ProtocolViolation invalid() {
    return new ProtocolViolation(
        WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "the message is not base64");
  }
}
