package dev.vertlet.server;

import dev.vertlet.config.IpAddresses;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/** Tells callers and names of this machine from others, without asking DNS. Pure. */
public final class Loopback {
  /** Headers of proxies: whoever asks through one may be anywhere. */
  private static final List<String> FORWARDING =
      List.of("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP");

  private Loopback() {}

  /**
   * Whether a host is {@code localhost} or a loopback address, such as {@code 127.0.0.2}, {@code
   * ::1} and {@code ::ffff:127.0.0.1}.
   *
   * @param host a name or an address, of IPv6 with or without brackets
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
   * Whether a request comes from this machine and was meant for it: from a loopback address, with a
   * Host that is one, and through no proxy. The Host of a page whose name was pointed at a loopback
   * address after it was loaded is another one.
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
