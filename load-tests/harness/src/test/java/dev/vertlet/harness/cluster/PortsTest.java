package dev.vertlet.harness.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
  @Test
  void theApiServersPortIsTheOneItHadBefore() {
    int before = LoopbackPorts.next();

    assertThat(Ports.freeLike(before).apiServer()).isEqualTo(before);
    assertThat(Ports.freeLike(before).etcd()).isNotEqualTo(before);
  }

  @Test
  void anotherPortIsTakenWhereSomebodyElseHasIt() throws Exception {
    int before = LoopbackPorts.next();

    try (ServerSocket other = new ServerSocket(before, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.freeLike(before).apiServer()).isNotEqualTo(other.getLocalPort());
    }
  }

  @Test
  void theKubeconfigRemembersThePort(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("kubeconfig");
    assertThat(Kubeconfig.server(file)).isEmpty();

    Kubeconfig.withToken(Ports.https(12345, ""), "pem", "secret").writeTo(file);

    assertThat(Kubeconfig.server(file)).contains(URI.create("https://127.0.0.1:12345"));
  }
}
