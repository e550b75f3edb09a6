package dev.vertlet.streaming.session;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/** A client violated its protocol; its connection is closed. */
public final class ProtocolViolation extends Exception {
  private final transient WebSocketCloseStatus status;

  public ProtocolViolation(WebSocketCloseStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  WebSocketCloseStatus status() {
    return status;
  }
}
