package dev.vertlet.auth;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Names who shares what clients may take: an address, and of IPv6 the network of 64 bits. Pure. */
final class ClientShare {
  private static final int IPV6 = 16;
  private static final int NETWORK = 8;

  private ClientShare() {}

  /**
   * @param address null where it is not known
   */
  static String of(@Nullable SocketAddress address) {
    String host = address == null ? null : address.hostAddress();
    if (host == null) {
      return "";
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
    return bytes != null && bytes.length == IPV6
        ? HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK))
        : host;
  }
}
