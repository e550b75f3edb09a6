package dev.vertlet.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.Test;

class ClientShareTest {
  private static String of(String host) {
    return ClientShare.of(SocketAddress.inetSocketAddress(1, host));
  }

  @Test
  void addressesOfOneNetworkOfIpv6ShareAndThoseOfIpv4DoNot() {
    assertThat(of("10.0.0.1")).isEqualTo("10.0.0.1").isNotEqualTo(of("10.0.0.2"));
    assertThat(of("2001:db8::1"))
        .isEqualTo(of("2001:db8:0:0:1::2"))
        .isNotEqualTo(of("2001:db9::1"));
    assertThat(of("::1")).isNotEqualTo(of("127.0.0.1"));
    assertThat(ClientShare.of(null)).isEmpty();
  }
}
