package dev.vertlet.process.store;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * A port of the host that a pod declares.
 *
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
 * @param number 1 to 65535
 */
public record HostPort(String protocol, int number) {
  static HostPort parse(String text) {
    int end = text.indexOf('/');
    return new HostPort(text.substring(end + 1), Integer.parseInt(text.substring(0, end)));
  }

  @Override
  public String toString() {
    return number + "/" + protocol;
  }

  /** Whether any program of the host listens on it; blocks. Only TCP ports are tried. */
  public boolean taken() {
    if (!protocol.equals("TCP")) {
      return false;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // connections of an earlier pod may linger
      socket.bind(new InetSocketAddress(number));
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
