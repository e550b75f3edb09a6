package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.FullRing;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./vertlet control-plane} from one start in a directory to the next. */
@ClusterTest(own = true, controllers = true)
class ControlPlaneCommandIT {
  @TempDir private Path folder;

  @FullRing
  @Test
  void itEndsWithItsApiServerAndComesBackOnThePortItHad() throws Exception {
    Path dir = folder.resolve("plane");
    Process first = Launcher.serve(folder, "control-plane", "--dir=" + dir);
    String kubeconfig = Files.readString(dir.resolve("kubeconfig"));

    kill(dir.resolve("kube-apiserver.pid"));

    Launcher.Outcome outcome = Launcher.await(first, folder);
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines().filter(line -> line.startsWith("vertlet: ")))
        .containsExactly(
            "vertlet: kube-apiserver has ended with exit code 137, and the control plane with it;"
                + " its log is "
                + dir.resolve("kube-apiserver.log"));
    assertThat(dir.resolve("etcd.pid")).doesNotExist();

    Process second = Launcher.serve(folder, "control-plane", "--dir=" + dir);
    second.destroy();

    assertThat(Launcher.await(second, folder).exitCode()).isZero();
    assertThat(dir.resolve("kubeconfig")).hasContent(kubeconfig);

    int port = URI.create(kubeconfig.split("\"", 3)[1]).getPort();
    try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(LoopbackPorts.isFree(other.getLocalPort())).isFalse();
      Process third = Launcher.serve(folder, "control-plane", "--dir=" + dir);
      third.destroy();

      assertThat(Launcher.await(third, folder).err())
          .containsPattern(
              "Port " + port + ", which the API server of this directory had, is in use")
          .doesNotContain("Exception");
    }
  }

  private static void kill(Path pidFile) throws Exception {
    long pid = Long.parseLong(Files.readString(pidFile).strip());
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
  }
}
