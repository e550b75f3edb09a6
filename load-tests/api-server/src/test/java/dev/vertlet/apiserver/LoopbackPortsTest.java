package dev.vertlet.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {
  @Test
  void noPortIsGivenTwiceNorOneThatKubeletsHave() {
    assertThat(IntStream.range(0, 200).map(i -> LoopbackPorts.next()).boxed())
        .doesNotHaveDuplicates()
        .allSatisfy(port -> assertThat(port).isGreaterThanOrEqualTo(10_400));
  }

  /** Test JVMs run side by side: the server of one would answer the tests of the other. */
  @Test
  void twoProcessesDoNotGetTheSamePort() throws Exception {
    int port = LoopbackPorts.next();
    assertThatThrownBy(() -> claim(port)).isInstanceOf(BindException.class);

    assertThat(LoopbackPorts.again(port)).isTrue();
    try (DatagramSocket other = claim(0)) {
      assertThat(LoopbackPorts.again(other.getLocalPort())).isFalse();
    }
  }

  /** As another process does. */
  private static DatagramSocket claim(int port) throws IOException {
    return new DatagramSocket(port, InetAddress.getLoopbackAddress());
  }
}
