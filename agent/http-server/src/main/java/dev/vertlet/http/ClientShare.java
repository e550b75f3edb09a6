package dev.vertlet.http;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Names the owner of a client's limits: an IPv4 address, or the /64 network of an IPv6 address. */
public final class ClientShare {
  private static final int IPV6 = 16;
  private static final int NETWORK = 8;

  private ClientShare() {}

  /**
   * @param address null when it is unknown
   */
  public static String of(@Nullable SocketAddress address) {
    String host = address == null ? null : address.hostAddress();
    if (host == null) {
      return "";
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
    return bytes == null ? host : of(bytes, host);
  }

  static String ofAddress(InetAddress address) {
    return of(address.getAddress(), address.getHostAddress());
  }

  private static String of(byte[] bytes, String host) {
    return bytes.length == IPV6 ? HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK)) : host;
  }
}
