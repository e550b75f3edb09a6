package dev.vertlet.server;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/** Recognizes clients and names of this machine without DNS. Uses no I/O. */
public final class Loopback {
  /** Headers of proxies, whose clients may be anywhere. */
  private static final List<String> FORWARDING =
      List.of("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP");

  private Loopback() {}

  /**
   * Returns whether a host is {@code localhost} or a loopback address, such as {@code 127.0.0.2},
   * {@code ::1} and {@code ::ffff:127.0.0.1}.
   *
   * @param host a name or an address; an IPv6 address may have brackets
   */
  public static boolean isHost(String host) {
    return host.toLowerCase(Locale.ROOT).equals("localhost") || isAddress(HostCheck.bare(host));
  }

  private static boolean isAddress(String text) {
    if (!IpAddresses.isIp(text)) {
      return false;
    }
    try {
      return InetAddress.getByName(text).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Returns whether a request comes from this machine and is meant for it: its client and its Host
   * are loopback addresses, and no proxy forwarded it. After DNS rebinding, the Host is the web
   * page's name instead.
   */
  public static boolean isCaller(HttpServerRequest request) {
    SocketAddress caller = request.remoteAddress();
    String address = caller == null ? null : caller.hostAddress();
    HostAndPort host = HostCheck.authority(request);
    return address != null
        && isAddress(address)
        && host != null
        && isHost(host.host())
        && FORWARDING.stream().noneMatch(header -> request.headers().contains(header));
  }
}
