package dev.vertlet.streaming;

import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;

/** A client violated its protocol; its connection is closed. */
final class ProtocolViolation extends Exception {
  private final transient WebSocketCloseStatus status;

  ProtocolViolation(WebSocketCloseStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  WebSocketCloseStatus status() {
    return status;
  }
}
