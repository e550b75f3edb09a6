package dev.vertlet.apiserver.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminHandlerTest {
  private static SocketAddress address(String host) {
    return SocketAddress.inetSocketAddress(40_000, host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"})
  void loopbackMayCall(String host) {
    assertThat(AdminHandler.isLoopback(address(host))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.7",
        "10.0.0.1",
        "0.0.0.0",
        "128.0.0.1",
        "2001:db8::1",
        "::ffff:192.0.2.7"
      })
  void othersMayNot(String host) {
    assertThat(AdminHandler.isLoopback(address(host))).isFalse();
  }

  @Test
  void whoeverHasNoAddressMayNot() {
    assertThat(AdminHandler.isLoopback(null)).isFalse();
    assertThat(AdminHandler.isLoopback(SocketAddress.domainSocketAddress("/run/socket"))).isFalse();
  }
}
