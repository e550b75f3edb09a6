package dev.vertlet.streaming.session;

import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.nio.charset.StandardCharsets;

/** Maps the reasons for closing a WebSocket to close codes. */
public final class CloseReasons {
  /** Longest reason: a control frame holds 125 bytes, two of which are the code. */
  private static final int LONGEST = 123;

  private CloseReasons() {}

  public static CloseWebSocketFrame frame(Throwable cause) {
    byte[] text = String.valueOf(cause.getMessage()).getBytes(StandardCharsets.US_ASCII);
    // one byte per character, so that no character is cut in half
    int length = Math.min(text.length, LONGEST);
    return new CloseWebSocketFrame(
        status(cause), new String(text, 0, length, StandardCharsets.US_ASCII));
  }

  private static WebSocketCloseStatus status(Throwable cause) {
    if (cause instanceof ProtocolViolation) {
      return ((ProtocolViolation) cause).status();
    }
    if (cause instanceof CorruptedWebSocketFrameException) {
      return ((CorruptedWebSocketFrameException) cause).closeStatus();
    }
    if (cause instanceof ProtocolIdle) {
      return WebSocketCloseStatus.ENDPOINT_UNAVAILABLE;
    }
    return WebSocketCloseStatus.INTERNAL_SERVER_ERROR;
  }
}
