package dev.vertlet.harness.cluster;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardianTest {
  @TempDir private Path dir;

  @Test
  void killsWhatTheDirectoryRecords() throws Exception {
    try (DataDir data = DataDir.open(ControlPlaneOptions.defaults().withDataDir(dir))) {
      PlaneProcess orphan =
          PlaneProcess.start(
              "etcd", List.of("/usr/bin/tail", "-f", dir.resolve("lock").toString()), data);
      // the started shell records its own id, some time after the start
      eventually(() -> assertThat(data.pid("etcd")).isNotEmptyFile());

      Guardian.over(data).close();

      assertThat(orphan.waitFor(Waits.LONG)).isTrue();
      assertThat(data.pid("etcd")).doesNotExist();
    }
  }

  @Test
  void sparesAProcessThatGotARecordedIdLater() throws Exception {
    Process stranger = new ProcessBuilder("/bin/sleep", "600").start();
    try {
      Files.writeString(dir.resolve("etcd.pid"), stranger.pid() + "\n");

      Guardian.reap(dir);

      assertThat(stranger.isAlive()).isTrue();
      assertThat(dir.resolve("etcd.pid")).doesNotExist();
    } finally {
      stranger.destroyForcibly();
    }
  }

  @Test
  void deletesATemporaryDirectory() throws Exception {
    DataDir data = DataDir.open(ControlPlaneOptions.defaults());

    Guardian.over(data).close();

    assertThat(data.root()).doesNotExist();
    data.close();
  }
}
