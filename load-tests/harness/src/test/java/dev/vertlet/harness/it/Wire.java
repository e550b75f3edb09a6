package dev.vertlet.harness.it;

import java.util.Map;

/** How kubectl talks where bytes go both ways. */
enum Wire {
  WEBSOCKET("true"),
  SPDY("false");

  private final String webSockets;

  Wire(String webSockets) {
    this.webSockets = webSockets;
  }

  Map<String, String> environment() {
    return Map.of(
        "KUBECTL_REMOTE_COMMAND_WEBSOCKETS", webSockets,
        "KUBECTL_PORT_FORWARD_WEBSOCKETS", webSockets);
  }
}
