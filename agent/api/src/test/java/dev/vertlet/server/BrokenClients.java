package dev.vertlet.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;

/** Clients of a plain port that send what is no request, or leave in the midst of one. */
public final class BrokenClients {
  /** What strangers send, as it stands on the wire; each ends its connection in two ways. */
  private static final List<String> BROKEN =
      List.of(
          "",
          "GET",
          "GET /readyz HTTP/1.1\r\n",
          "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n",
          "POST /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
          "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
          "GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
          "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
          "GET /metrics HTTP/9.9\r\n\r\n",
          "GET  HTTP/1.1\r\n\r\n",
          "\u0000\u0001\u0002\r\n\r\n",
          "\u0016\u0003\u0001\u0000\u0005hello",
          "GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n\r\n",
          "GET / HTTP/1.1\r\nx: " + "x".repeat(20_000) + "\r\n\r\n",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nno frames at all, but some bytes",
          "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
              + "HTTP2-Settings: %%%\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");

  private BrokenClients() {}

  /** Each of them, so often, ended by a reset and by an end. */
  public static void connect(int port, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      for (String sent : BROKEN) {
        connect(port, sent, true);
        connect(port, sent, false);
      }
    }
  }

  /** What a server says to this until it closes, or has said all. */
  public static String answer(int port, String sent) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write(sent.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      socket.setSoTimeout(30_000);
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static void connect(int port, String sent, boolean reset) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write(sent.getBytes(ISO_8859_1));
      if (reset) {
        socket.setSoLinger(true, 0);
      } else {
        socket.shutdownOutput();
        socket.setSoTimeout(30_000);
        socket.getInputStream().readAllBytes();
      }
    } catch (SocketException closed) {
      // the server was the first
    }
  }
}
